import { featuresOf } from '../../../engine/plan/check-target.ts';
import { registeredErrors } from '../../../interfaces/server-initiated/checks/refusal.ts';
import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { onceEach } from '../../../lib/lists.ts';
import { findAction } from '../../../model/action.ts';
import { outcomes, outcomeTable } from '../../../model/outcome.ts';
import { describeExpectation } from '../../../suite/expectations/expectations.ts';
import type { Case, Suites } from '../../../suite/suites.ts';
import { describeAct, type Show } from '../../../suite/verbs/define.ts';
import { tamperNames, describeTamper } from '../../../wire/build/tamper.ts';
import { fact } from '../blocks.ts';
import { needInWords } from '../describe-case.ts';
import {
  caseNames,
  defineKind,
  type Entry,
  hasWord,
  headOf,
  idsFact,
  listFact,
  rulesFact,
  rulesThatName,
} from './kind.ts';

const show: Show = (value) => JSON.stringify(value);

const casesWith = ({ cases }: Suites, is: (given: Case) => boolean): readonly string[] => caseNames(cases.filter(is));

/** `claims.jti` of `claims.jti = "x"`: what a step changes, without the value. */
const changesOf = onceEach(({ steps }: Case): readonly string[] =>
  steps.flatMap(({ act }) =>
    describeAct(act, serverInitiated.verbs, show).details.map((detail) => detail.split(' = ')[0] ?? detail),
  ),
);

const expectationsOf = onceEach(({ steps }: Case): readonly string[] =>
  steps.flatMap(({ expectations }) => expectations.flatMap((one) => describeExpectation(one, show))),
);

/** Steps or expectations as one text, in which a name is found. */
const textOfAll = onceEach((given: readonly unknown[]): string => JSON.stringify(given));

const namingRules = (name: string, { rules }: Suites): readonly string[] =>
  rulesThatName(name, rules).map(({ id }) => id);

/** Where a valid request has a member, and its value there, by its name. */
function validValues({ bases }: Suites): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [base, { header, claims }] of Object.entries(bases)) {
    for (const [place, members] of Object.entries({ header, claims })) {
      for (const [name, { source }] of members) {
        const value = `${base}, ${place}: ${typeof source === 'string' ? source : JSON.stringify(source)}`;
        found.set(name, [...(found.get(name) ?? []), value]);
      }
    }
  }
  return found;
}

/** `jti` of the clause "2.3 jti, 8": the members that clauses are about. */
const clauseMembers = ({ rules }: Suites): readonly string[] =>
  rules.flatMap(({ clause }) =>
    [...clause.matchAll(/(?<![0-9.])[0-9.]+ ([a-z][a-z_0-9]+)\b/g)].map(([, name = '']) => name),
  );

function memberEntry(name: string, valid: readonly string[], suites: Suites): Entry {
  return {
    name,
    description: valid[0] ?? 'a member that rules speak of',
    blocks: () => [
      ...headOf(name, 'a claim, a header parameter or a member'),
      ...valid.flatMap((value) => fact('valid value', value)),
      ...rulesFact('rule', namingRules(name, suites), suites),
      ...idsFact(
        'changed by',
        'case',
        casesWith(suites, (given) => changesOf(given).some((change) => hasWord(change.replaceAll('.', ' '), name))),
      ),
    ],
  };
}

export const memberKind = defineKind({
  name: 'member',
  many: 'claims, header parameters and members',
  entries: ({ suites }) => {
    const valid = validValues(suites);
    const names = [...new Set([...valid.keys(), ...clauseMembers(suites)])];
    return names.map((name) => memberEntry(name, valid.get(name) ?? [], suites));
  },
});

export const oauthErrorKind = defineKind({
  name: 'oauth-error',
  many: 'error codes of carriers',
  entries: ({ suites }) =>
    [...registeredErrors].map((name) => ({
      name,
      description: 'an error code that a carrier may send',
      blocks: () => [
        ...headOf(name, 'an error code that a carrier may send (the member error)'),
        ...rulesFact('rule', namingRules(name, suites), suites),
        ...idsFact(
          'expected by',
          'case',
          casesWith(suites, (given) => expectationsOf(given).some((words) => hasWord(words, name))),
        ),
      ],
    })),
});

export const outcomeKind = defineKind({
  name: 'outcome',
  many: 'outcomes of steps',
  entries: () =>
    outcomes.map((name) => ({
      name,
      description: outcomeTable[name].description,
      blocks: () => [
        ...headOf(name, 'an outcome of a step', outcomeTable[name].description),
        ...listFact(
          'verbs',
          serverInitiated.verbs.filter((verb) => verb.outcomes.includes(name)).map(({ verb }) => verb),
        ),
        ...('wantsControl' in outcomeTable[name]
          ? fact('control', 'it means something where the same request, right in one property, is accepted beside it')
          : []),
      ],
    })),
});

const mutations = {
  subscriber: 'it changes the subscriber, whom no other case uses meanwhile',
  client: 'it changes the registration of the client, which no other case uses meanwhile',
  keys: "it changes the carrier's keys",
} as const;

export const actionKind = defineKind({
  name: 'action',
  many: 'actions and their drivers',
  entries: ({ suites }) =>
    serverInitiated.actions.map(({ name, description, prompt, mutates, undo, gives }) => ({
      name,
      description,
      blocks: () => [
        ...headOf(name, 'an action: what a driver of the target file makes happen', description),
        ...fact('asks', prompt),
        ...(mutates === undefined ? [] : fact('changes', mutations[mutates])),
        ...fact(
          'undone by',
          undo === undefined ? undefined : `${undo}: ${findAction(undo, serverInitiated.actions)?.description ?? ''}`,
        ),
        ...fact('gives', gives),
        ...idsFact(
          'needed by',
          'case',
          casesWith(suites, ({ requires }) => requires.includes(`action:${name}`)),
        ),
        ...fact('more', 'docs/target-file.md, drivers', { whole: true }),
      ],
    })),
});

export const tamperKind = defineKind({
  name: 'tamper',
  many: 'changes to a finished JWS',
  entries: ({ suites }) =>
    [...tamperNames].map((name) => ({
      name,
      description: describeTamper(name),
      blocks: () => [
        ...headOf(name, 'a change to the finished JWS (tamper)', describeTamper(name)),
        ...idsFact(
          'used by',
          'case',
          casesWith(suites, (given) => textOfAll(given.steps).includes(`"${name}"`)),
        ),
        ...fact('send it', `carrierspec send --tamper ${name}`, { whole: true }),
      ],
    })),
});

export const clientKind = defineKind({
  name: 'client',
  many: 'clients that cases use',
  entries: ({ suites }) =>
    Object.entries(serverInitiated.roles).map(([name, { algs, flags, secret, events }]) => ({
      name,
      description: `a client with the flags ${flags.join(', ') || 'none'}`,
      blocks: () => [
        ...headOf(name, 'a client of the target file: a registration of the SP'),
        ...listFact('keys', algs),
        ...listFact('flags', flags),
        ...fact('has', secret === true ? 'a secret' : undefined),
        ...fact('has', events === true ? 'an endpoint for events' : undefined),
        ...idsFact(
          'cases',
          'case',
          name === 'main'
            ? []
            : casesWith(suites, (one) => one.client === name || one.requires.includes(`client:${name}`)),
        ),
      ],
    })),
});

export const tagKind = defineKind({
  name: 'tag',
  many: 'tags of subscribers',
  entries: ({ suites }) =>
    [...new Set(suites.cases.map(({ subscriber }) => subscriber))].toSorted().map((name) => {
      const using = casesWith(suites, ({ subscriber }) => subscriber === name);
      return {
        name,
        description: 'a tag of subscribers in the target file',
        facts: { cases: String(using.length) },
        blocks: () => [
          ...headOf(name, 'a tag of subscribers in the target file'),
          ...idsFact('cases', 'case', using),
          ...fact('more', 'docs/target-file.md, subscribers', { whole: true }),
        ],
      };
    }),
});

export const featureKind = defineKind({
  name: 'feature',
  many: 'features that supports can name',
  entries: ({ suites }) =>
    [...featuresOf(suites.cases, serverInitiated)].map((name) => ({
      name,
      description: serverInitiated.featureSigns[name]?.description ?? needInWords(name),
      blocks: () => [
        ...headOf(name, 'a feature: what cases need of a carrier, under supports of the target file'),
        ...fact('sign', serverInitiated.featureSigns[name]?.description),
        ...idsFact(
          'needed by',
          'case',
          casesWith(suites, ({ requires }) => requires.includes(name)),
        ),
      ],
    })),
});
