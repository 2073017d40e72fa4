import type { ServerHabits } from '../../carrier/http/habits.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import {
  type Grammar,
  flag,
  json,
  list,
  mapped,
  mapping,
  named,
  object,
  pattern,
  type Read,
  text,
} from '../../suite/grammar/grammar.ts';
import { cites, name, names } from '../../suite/grammar/shared.ts';
import { habitsGrammar, type Setup, setupGrammar } from './setup-grammar.ts';

const record = (title: string, description: string): Grammar<JsonObject> =>
  mapped(json({ type: 'object', title, description, minProperties: 1 }), ({ value }) =>
    isJsonObject(value) ? value : undefined,
  );

const choice = object(
  {
    policy: record('values of the policy', "The carrier's numbers and switches (src/carrier/policy.ts)."),
    variants: names('a list of variants', 'What the carrier does otherwise (src/carrier/variants/).', { minItems: 1 }),
    setup: setupGrammar,
    server: habitsGrammar,
    target: record(
      'a patch of the target file',
      'What the target file of such a carrier says otherwise; null takes a key out.',
    ),
    warns: mapping(text({ title: 'a reason' }), {
      title: 'warns',
      description: 'Rules that warn of it by a decision, with the decision: it conforms, and another way is better.',
    }),
    excludes: mapping(text({ title: 'a reason' }), {
      title: 'excludes',
      description:
        'Choices (`freedom/choice`), or freedoms in any but their plain choice, that it cannot go with, with the reason.',
    }),
  },
  { title: 'a choice' },
);

const freedom = object(
  {
    id: name('Its id.', 'callback-latency'),
    clause: pattern('^[0-9]+(\\.[0-9]+)?$', {
      title: 'a clause such as "4.2"',
      description: 'The clause that leaves it open.',
    }),
    cites,
    description: text({ title: 'a sentence', description: 'What is left open.' }),
    history: flag({ description: 'It shows only in what one case leaves to another.' }),
    choices: mapping(named('choice', choice), {
      title: 'choices',
      description: 'By name; the first is the plain carrier.',
      // A name of digits only would come before all others.
      propertyNames: { pattern: '^[a-z][a-z0-9_-]*$' },
    }),
  },
  { required: ['id', 'clause', 'description', 'choices'], title: 'a freedom' },
);

/** fixtures/space/freedoms.yaml. */
export const freedomsGrammar = object(
  { freedoms: list(named('freedom', freedom), { title: 'a list of freedoms' }) },
  {
    title: 'a file of freedoms',
    description: 'What the interface leaves to a carrier; a conforming carrier is one choice for each.',
    required: ['freedoms'],
  },
);

export type GivenFreedom = NonNullable<Read<typeof freedom>>;

/** One thing that the interface leaves to a carrier. */
export interface Freedom {
  readonly id: string;
  readonly clause: string;
  /** Principles and decisions of docs/corrections.md. */
  readonly cites: readonly string[];
  readonly description: string;
  /** It shows only in what one case leaves to another: the carriers on which faults are proved are plain in it. */
  readonly history?: true;
  /** In the order of the file; the first is the plain carrier. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly name: string;
  /** Values of the carrier's policy. */
  readonly policy?: JsonObject;
  readonly variants?: readonly string[];
  readonly setup?: Setup;
  readonly server?: ServerHabits;
  /** What the target file says otherwise. */
  readonly target?: JsonObject;
  /** Why, by the id of a rule that warns. */
  readonly warns: Readonly<Record<string, string>>;
  /** Reasons by `freedom/choice`, or by `freedom` for all of its choices but the plain one. */
  readonly excludes: Readonly<Record<string, string>>;
}

export const nameOfChoice = (id: string, called: string): string => `${id}/${called}`;

/** A freedom as its file says it; its mistakes are reported elsewhere. */
export function freedomOf({
  id = '',
  clause = '',
  cites: cited = [],
  description = '',
  history = false,
  choices = [],
}: GivenFreedom): Freedom {
  return {
    id,
    clause,
    cites: cited,
    description,
    ...(history ? { history } : {}),
    choices: choices.map(([called, { policy, variants, setup, server, target, warns = [], excludes = [] }]) => ({
      name: called,
      ...defined({ policy, variants, setup, server, target }),
      warns: Object.fromEntries(warns),
      excludes: Object.fromEntries(excludes),
    })),
  };
}
