import { requiredFeatures } from '../../engine/plan/check-target.ts';
import { registeredErrors } from '../../interfaces/server-initiated/checks/refusal.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { card } from '../../interfaces/server-initiated/messages.ts';
import { memoizeByObject } from '../../lib/lists.ts';
import { type Action, findAction } from '../../model/action.ts';
import { outcomes, outcomeTable } from '../../model/outcome.ts';
import { describeExpectation } from '../../suite/expectations/expectations.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { describeAct, type ShowValue } from '../../suite/verbs/verb.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { tamperNames, describeTamper } from '../../wire/build/tamper.ts';
import { describeNeed } from './case.ts';
import { matrixIds, type EntryFact, hasWord, type EntryKind, rulesFacts, rulesNaming } from './catalogue.ts';

const showJson: ShowValue = (value) => JSON.stringify(value);

const casesWith = ({ cases }: Suites, is: (given: Case) => boolean): readonly string[] => matrixIds(cases.filter(is));

/** Changes made by each step, without values: `claims jti` for `claims.jti = "x"`. */
const stepChanges = memoizeByObject(({ steps }: Case): readonly string[] =>
  steps.flatMap(({ act }) =>
    describeAct(act, serverInitiated.verbs, showJson).details.map((detail) =>
      (detail.split(' = ')[0] ?? detail).replaceAll('.', ' '),
    ),
  ),
);

const expectationTexts = memoizeByObject(({ steps }: Case): readonly string[] =>
  steps.flatMap(({ expectations }) => expectations.flatMap((one) => describeExpectation(one, showJson))),
);

/** Places in a file are left out: they hold the whole file. */
const joinedJson = memoizeByObject((given: readonly unknown[]): string =>
  JSON.stringify(given, (name, value: unknown) => (name === 'document' ? undefined : value)),
);

/** Places and values of each member in the valid base messages, by name. */
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

/** Members named in clauses: `jti` for "2.3 jti, 8". */
const clauseMembers = ({ rules }: Suites): readonly string[] =>
  rules.flatMap(({ clause }) =>
    [...clause.matchAll(/(?<![0-9.])[0-9.]+ ([a-z][a-z_0-9]+)\b/g)].map(([, name = '']) => name),
  );

export const memberKind: EntryKind = ({ suites }) => {
  const valid = validValues(suites);
  return [...new Set([...valid.keys(), ...clauseMembers(suites)])].map((name) => ({
    name,
    description: valid.get(name)?.[0] ?? 'a member that rules speak of',
    is: 'a claim, a header parameter or a member',
    facts: () => [
      ...(valid.get(name) ?? []).map((value): EntryFact => ['valid value', value]),
      ...rulesFacts('rule', rulesNaming(name, suites.rules), suites),
      ['changed by', casesWith(suites, (given) => stepChanges(given).some((change) => hasWord(change, name)))],
    ],
  }));
};

export const oauthErrorKind: EntryKind = ({ suites }) =>
  [...registeredErrors].map((name) => ({
    name,
    description: 'an error code that a carrier may send',
    is: 'an error code that a carrier may send (the member error)',
    facts: () => [
      ...rulesFacts('rule', rulesNaming(name, suites.rules), suites),
      ['expected by', casesWith(suites, (given) => expectationTexts(given).some((words) => hasWord(words, name)))],
    ],
  }));

export const outcomeKind: EntryKind = () =>
  outcomes.map((name) => ({
    name,
    description: outcomeTable[name].description,
    is: 'an outcome of a step',
    facts: () => [
      ['verbs', serverInitiated.verbs.filter((verb) => verb.outcomes.includes(name)).map(({ verb }) => verb)],
      [
        'control',
        'wantsControl' in outcomeTable[name]
          ? 'required: it means something only if the same request, right in the one property under test, is accepted'
          : undefined,
      ],
    ],
  }));

const mutationTexts = {
  subscriber: 'it changes the subscriber, so no other case uses it meanwhile',
  client: 'it changes the registration of the client, which no other case uses meanwhile',
  keys: "it changes the carrier's keys",
} as const;

/** Values that a driver gets, and the members of its response, each with its meaning. */
function driverFacts({ name, gets = {}, gives, undo }: Action): readonly EntryFact[] {
  const undone = serverInitiated.actions.filter((one) => one.undo === name && one.undoWith === undefined);
  const members = name === 'look' ? Object.entries(card).map(([member, { value }]) => `${member}: ${value}`) : [gives];
  return [
    ...Object.entries(gets).map(([value, words]): EntryFact => ['gets', `with.${value}: ${words}`]),
    ['gets', undone.length === 0 ? undefined : `the values of ${undone.map((one) => one.name).join(', ')}`],
    ...members.map((member): EntryFact => ['returns', member]),
    ['undone by', undo && `${undo}: ${findAction(undo, serverInitiated.actions)?.description ?? ''}`],
  ];
}

export const actionKind: EntryKind = ({ suites }) =>
  serverInitiated.actions.map((action) => ({
    name: action.name,
    description: action.description,
    is: 'an action: what a driver of the target file makes happen',
    facts: () => [
      ['asks', action.prompt],
      ...driverFacts(action),
      ['changes', action.mutates && mutationTexts[action.mutates]],
      ['needed by', casesWith(suites, ({ requires }) => requires.includes(`action:${action.name}`))],
      ['more', 'docs/drivers.md'],
    ],
  }));

export const tamperKind: EntryKind = ({ suites }) =>
  [...tamperNames].map((name) => ({
    name,
    description: describeTamper(name),
    is: 'a change to the finished JWS (tamper)',
    facts: () => [
      ['used by', casesWith(suites, ({ steps }) => joinedJson(steps).includes(`"${name}"`))],
      ['send it', `carrierspec send --tamper ${name}`],
    ],
  }));

/** `other` means an unregistered key. */
export const keyKind: EntryKind = () =>
  ['other', ...keyNames].map((name) => ({
    name,
    description: 'a key that send --key signs with',
    is: 'a key that send --key signs with',
    facts: () => [['send it', `carrierspec send --key ${name}`]],
  }));

export const clientKind: EntryKind = ({ suites }) =>
  Object.entries(serverInitiated.roles).map(([name, { algs, flags, secret, events }]) => ({
    name,
    description: `a client with the flags ${flags.join(', ') || 'none'}`,
    is: 'a client of the target file: a registration of the SP',
    facts: () => [
      ['keys', algs],
      ['has', secret === true ? 'a secret' : undefined],
      ['has', events === true ? 'an endpoint for events' : undefined],
      [
        'cases',
        name === 'main'
          ? []
          : casesWith(suites, (one) => one.client === name || one.requires.includes(`client:${name}`)),
      ],
    ],
  }));

export const tagKind: EntryKind = ({ suites }) =>
  [...new Set(suites.cases.map(({ subscriber }) => subscriber))].toSorted().map((name) => {
    const using = casesWith(suites, ({ subscriber }) => subscriber === name);
    return {
      name,
      description: 'a tag of subscribers in the target file',
      columns: { cases: String(using.length) },
      is: 'a tag of subscribers in the target file',
      facts: () => [
        ['cases', using],
        ['more', 'docs/target-file.md, subscribers'],
      ],
    };
  });

export const featureKind: EntryKind = ({ suites }) =>
  [...requiredFeatures(suites.cases, serverInitiated)].map((name) => ({
    name,
    description: serverInitiated.featureSigns[name]?.description ?? describeNeed(name),
    is: 'a feature: what cases need of a carrier, under supports of the target file',
    facts: () => [['needed by', casesWith(suites, ({ requires }) => requires.includes(name))]],
  }));
