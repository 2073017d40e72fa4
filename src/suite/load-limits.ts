import { at, place, type Parse, parseYaml } from './yaml/document.ts';
import { join } from 'node:path';
import { omitUndefined } from '../lib/json.ts';
import { parseDuration } from '../lib/duration.ts';
import type { Limit, LimitMethod, Limits } from '../model/limit.ts';
import type { Difference } from '../model/suite.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import type { CompileContext } from './context.ts';
import { compileRuleRefs } from './rules.ts';
import { pathLabel, readChecked } from './suite-files.ts';
import {
  anyText,
  described,
  flag,
  type Grammar,
  integer,
  list,
  object,
  pattern,
  placed,
  type ReadValue,
  nonEmptyText,
  word,
} from './grammar/grammar.ts';
import { kebabName } from './grammar/common-shapes.ts';
import { commonNames } from './template/names.ts';
import { createProblems } from './yaml/problems.ts';

const wholeNumber = (minimum: number, description: string) =>
  integer(minimum, Number.POSITIVE_INFINITY, { description });
const sentenceGrammar = (description: string) => pattern('\\{limit\\}', { title: 'a text with {limit}', description });

const limitKeys = {
  name: kebabName('Its name in results.'),
  title: nonEmptyText({ description: 'Its name for people.' }),
  rule: placed(
    pattern('^[A-Z]+-[0-9]+[a-z]?(#[a-z0-9-]+)?$', {
      title: 'a rule such as REQ-007',
      description: 'The rule that it is about.',
    }),
  ),
  unit: word(['s', 'characters', 'requests'], { description: 'Seconds, characters, or requests.' }),
  clock: flag({ description: "A distance from the carrier's time." }),
  found: sentenceGrammar('Sentence for a limit that was found.'),
  beyond: sentenceGrammar('Sentence for a carrier that has no limit within the tried values.'),
  beside: object(
    {
      limit: anyText({ description: 'The limit of the same text in characters of one byte.' }),
      'bytes-each': wholeNumber(2, 'Bytes of a character.'),
    },
    { title: 'a mapping', description: 'Shows whether bytes or characters count.', required: ['limit', 'bytes-each'] },
  ),
  bisect: object(
    {
      from: wholeNumber(0, 'Accepted, unless the carrier has no such limit.'),
      to: wholeNumber(0, 'Refused, where there is a limit.'),
      holds: word(['accepted', 'response'], { description: 'Observation that does not change up to the limit.' }),
    },
    { title: 'a mapping', description: 'The limit lies between two values.', required: ['from', 'to'] },
  ),
  ladder: list(anyText(), { title: 'a list of durations', minItems: 2, description: 'Times that are tried in turn.' }),
  repeats: anyText({ description: 'The claim that is sent again.' }),
  pending: wholeNumber(1, 'Most valid requests that are left pending for one subscriber.'),
  raises: anyText({ description: 'The action that raises the event.' }),
};

const limitShape = (difference: Grammar<Difference>) =>
  object(
    { ...limitKeys, authorize: described(difference, 'Members of a step; their templates can read `probe`.') },
    {
      title: 'a limit',
      required: ['name', 'title', 'rule', 'unit', 'found', 'beyond'],
      dependencies: { bisect: ['authorize'], authorize: ['bisect'], repeats: ['ladder'], raises: ['ladder'] },
    },
  );

const profileEntryShape = object(
  {
    name: kebabName('Its name in results.'),
    description: nonEmptyText({ description: 'Sentence that says what the interface leaves open.' }),
    case: anyText({ description: 'The case that records it.' }),
    record: anyText({ description: 'The name it records it under.' }),
  },
  { title: 'an entry of the profile', required: ['name', 'description', 'case', 'record'] },
);

export const limitsFile = (difference: Grammar<Difference>) =>
  object(
    {
      limits: list(limitShape(difference), { title: 'a list of limits', description: 'Limits that can be measured.' }),
      profile: list(profileEntryShape, {
        title: 'a list of recorded values',
        description: 'Behaviours that the interface leaves open.',
      }),
    },
    {
      title: 'a file of limits',
      description: 'Limits and open behaviours that `carrierspec measure` finds out (docs/limits.md).',
      required: ['limits', 'profile'],
    },
  );

/** Names that a probe may read: `probe`, and the names for every template of a case. */
const probeNames = new Map([...commonNames, ['probe', new Set<string>()]]);

interface LimitsOptions {
  /** The shipped suites folder. */
  readonly dir: string;
  /** If undefined, rule names are not checked. */
  readonly rules?: readonly Rule[];
  readonly tampers: ReadonlySet<string>;
  /** Grammar of the difference from a valid request. */
  readonly difference: Grammar<Difference>;
  readonly parse?: Parse;
}

/** Reads suites/limits.yaml and reports every mistake. */
export function loadLimits({ dir, rules, tampers, difference, parse = parseYaml }: LimitsOptions): {
  readonly limits: Limits;
  readonly problems: readonly Problem[];
} {
  const problems = createProblems();
  const { report } = problems;
  const path = join(dir, 'limits.yaml');
  const byId = rules === undefined ? undefined : new Map(rules.map((rule) => [rule.id, rule]));
  const known = { rules: byId, checks: new Set<string>(), tampers, faults: undefined };
  const kind = { kind: 'limits', shape: limitsFile(difference), context: { names: probeNames, report, known } };
  const { read } = readChecked({ path, label: pathLabel(path) }, kind, { report, parse });
  const context: CompileContext = { area: 'limits', suite: 'limits', known, report, judged: () => undefined };
  return {
    limits: {
      limits: (read?.limits ?? []).map((limit) => compileLimit(limit, context)),
      profile: (read?.profile ?? []).map(({ name: called = '', description = '', case: id = '', record = '' }) => ({
        name: called,
        description,
        case: id,
        record,
      })),
    },
    problems: problems.sorted(),
  };
}

function compileMethod(read: ReadValue<ReturnType<typeof limitShape>>): LimitMethod {
  const { bisect, repeats, pending, raises = '', ladder = [], authorize = {} } = read;
  const rungs = ladder.flatMap((rung) => parseDuration(rung) ?? []);
  if (repeats !== undefined) return { kind: 'repeat', claim: repeats, rungs };
  if (pending !== undefined) return { kind: 'pending', to: pending };
  if (bisect === undefined) return { kind: 'event', action: raises, rungs };
  const { from = 0, to = 0, holds = 'accepted' } = bisect;
  return { kind: 'bisect', from, to, holds, difference: authorize };
}

function compileLimit(read: ReadValue<ReturnType<typeof limitShape>>, context: CompileContext): Limit {
  const { name: called = '', title = '', unit = 'characters', clock = false, found = '', beyond = '', beside } = read;
  return {
    name: called,
    title,
    rules: compileRuleRefs(at(read.cursor, 'rule'), context, 'case') ?? [],
    unit,
    clock,
    found,
    beyond,
    ...omitUndefined({
      beside: beside?.limit === undefined ? undefined : { limit: beside.limit, bytesEach: beside['bytes-each'] ?? 0 },
    }),
    method: compileMethod(read),
    position: place(read.cursor),
  };
}
