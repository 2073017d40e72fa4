import { serverInitiated } from '../../../interfaces/server-initiated/interface.ts';
import { registeredErrors } from '../../../interfaces/server-initiated/checks/refusal.ts';
import { outcomes, outcomeTable } from '../../../model/outcome.ts';
import { findAction } from '../../../model/action.ts';
import type { Case, Suites } from '../../../suite/suites.ts';
import { describeExpectation } from '../../../suite/expectations/keys.ts';
import { describeAct, type Show } from '../../../suite/verbs/define.ts';
import { describeTamper } from '../../../wire/build/tamper-words.ts';
import { tamperNames } from '../../../wire/build/tamper.ts';
import { featuresOf } from '../../../engine/plan/check-target.ts';
import { needInWords } from '../describe-case.ts';
import { caseNames, defineKind, type Entry, hasWord, headOf, idsFact, rulesFact, rulesThatName } from './kind.ts';

const show: Show = (value) => JSON.stringify(value);

const casesWith = ({ cases }: Suites, is: (given: Case) => boolean): readonly string[] => caseNames(cases.filter(is));

/** `claims.jti` of `claims.jti = "x"`: what a step changes, without the value. */
const changesOf = ({ steps }: Case): readonly string[] =>
  steps.flatMap(({ act }) =>
    describeAct(act, serverInitiated.verbs, show).details.map((detail) => detail.split(' = ')[0] ?? detail),
  );

const expectationsOf = ({ steps }: Case): readonly string[] =>
  steps.flatMap(({ expectations }) => expectations.flatMap((one) => describeExpectation(one, show)));

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
    render: (page) => [
      ...headOf(page)(name, 'a claim, a header parameter or a member'),
      ...valid.flatMap((value) => page.fact('valid value', value)),
      ...rulesFact(page)('rule', namingRules(name, suites), suites),
      ...idsFact(
        page,
        'changed by',
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
      render: (page) => [
        ...headOf(page)(name, 'an error code that a carrier may send (the member error)'),
        ...rulesFact(page)('rule', namingRules(name, suites), suites),
        ...idsFact(
          page,
          'expected by',
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
      render: (page) => [
        ...headOf(page)(name, 'an outcome of a step', outcomeTable[name].description),
        ...idsFact(
          page,
          'verbs',
          serverInitiated.verbs.filter((verb) => verb.outcomes.includes(name)).map(({ verb }) => verb),
        ),
        ...('wantsControl' in outcomeTable[name]
          ? page.fact(
              'control',
              'it means something where the same request, right in one property, is accepted beside it',
            )
          : []),
      ],
    })),
});

export const verbKind = defineKind({
  name: 'verb',
  many: 'verbs of steps',
  entries: () =>
    serverInitiated.verbs.map(({ verb, description, outcomes: own, members }) => ({
      name: verb,
      description,
      render: (page) => [
        ...headOf(page)(verb, 'a verb of a step', description),
        ...idsFact(page, 'outcomes', own),
        ...idsFact(page, 'gives', members),
        ...page.fact('more', 'docs/suite-language.md', { whole: true }),
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
      render: (page) => [
        ...headOf(page)(name, 'an action: what a driver of the target file makes happen', description),
        ...page.fact('asks', prompt),
        ...(mutates === undefined ? [] : page.fact('changes', mutations[mutates])),
        ...page.fact(
          'undone by',
          undo === undefined ? undefined : `${undo}: ${findAction(undo, serverInitiated.actions)?.description ?? ''}`,
        ),
        ...page.fact('gives', gives),
        ...idsFact(
          page,
          'needed by',
          casesWith(suites, ({ requires }) => requires.includes(`action:${name}`)),
        ),
        ...page.fact('more', 'docs/target-file.md, drivers', { whole: true }),
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
      render: (page) => [
        ...headOf(page)(name, 'a change to the finished JWS (tamper)', describeTamper(name)),
        ...idsFact(
          page,
          'used by',
          casesWith(suites, (given) => JSON.stringify(given.steps).includes(`"${name}"`)),
        ),
        ...page.fact('send it', `carrierspec send --tamper ${name}`, { whole: true }),
      ],
    })),
});

export const checkKind = defineKind({
  name: 'named-check',
  many: 'named checks',
  entries: ({ suites: { cases, invariants } }) =>
    Object.values(serverInitiated.checks).map(({ name, over }) => {
      const uses = (given: unknown): boolean => JSON.stringify(given).includes(`"${name}"`);
      return {
        name,
        description: over === 'run' ? 'a check of the whole run' : 'a check of a message',
        render: (page) => [
          ...headOf(page)(name, `a named check of ${over === 'run' ? 'the whole run' : 'a message'}`),
          ...idsFact(
            page,
            'invariants',
            invariants.filter(({ expectations }) => uses(expectations)).map(({ id }) => id),
          ),
          ...idsFact(page, 'cases', caseNames(cases.filter(({ steps }) => uses(steps)))),
        ],
      };
    }),
});

export const clientKind = defineKind({
  name: 'client',
  many: 'clients that cases use',
  entries: ({ suites }) =>
    Object.entries(serverInitiated.roles).map(([name, { algs, flags, secret, events }]) => ({
      name,
      description: `a client with the flags ${flags.join(', ') || 'none'}`,
      render: (page) => [
        ...headOf(page)(name, 'a client of the target file: a registration of the SP'),
        ...idsFact(page, 'keys', algs),
        ...idsFact(page, 'flags', flags),
        ...page.fact('has', secret === true ? 'a secret' : undefined),
        ...page.fact('has', events === true ? 'an endpoint for events' : undefined),
        ...idsFact(
          page,
          'cases',
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
        render: (page) => [
          ...headOf(page)(name, 'a tag of subscribers in the target file'),
          ...idsFact(page, 'cases', using),
          ...page.fact('more', 'docs/target-file.md, subscribers', { whole: true }),
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
      render: (page) => [
        ...headOf(page)(name, 'a feature: what cases need of a carrier, under supports of the target file'),
        ...page.fact('sign', serverInitiated.featureSigns[name]?.description),
        ...idsFact(
          page,
          'needed by',
          casesWith(suites, ({ requires }) => requires.includes(name)),
        ),
      ],
    })),
});
