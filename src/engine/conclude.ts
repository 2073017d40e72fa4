import { randomBytes } from 'node:crypto';
import { judgeExpected, knownOf } from '../judge/expected.ts';
import { concludeOutcome, countVerdicts, scores, scoresByArea } from '../judge/score.ts';
import { createRuleTallies } from '../judge/tally.ts';
import type { JournalEntry } from '../journal/entries.ts';
import type { Attestation } from '../model/attestation.ts';
import type { ExpectedFailure } from '../model/expected.ts';
import type { Result, ResultFooter, ResultHeader } from '../model/result.ts';
import type { Suites } from '../model/suite.ts';
import type { Summary } from './case/unfinished.ts';
import { rulesOf, type Selected } from './plan/select.ts';
import type { RunOptions } from './run-options.ts';
import type { Timeline } from './clock/timeline.ts';
import type { World } from './world/world.ts';

const certified: ResultHeader['interface'] = { id: 'server-initiated', version: '1.0' };

const clockNote: Readonly<Record<Timeline['kind'], string>> = {
  real: 'Every wait lasted as long as it says.',
  virtual: 'Both clocks jumped over every wait.',
};

/** What is run, with what, against which carrier. */
export function headerOf(
  { suites, target, selection, tool, flags, shard }: RunOptions,
  { timeline, endpoints }: Pick<World, 'timeline' | 'endpoints'>,
): ResultHeader {
  return {
    format: 'carrierspec-result',
    version: 2,
    run: randomBytes(8).toString('hex'),
    interface: certified,
    tool,
    suites: { ...suites.digests, files: suites.files },
    target: {
      name: target.name,
      file: target.file,
      issuer: endpoints.issuer,
      fingerprint: target.fingerprint,
      ...(target.testCarrier === undefined ? {} : { testCarrier: target.testCarrier }),
    },
    clock: { kind: timeline.kind, note: clockNote[timeline.kind] },
    startedAt: new Date(timeline.now()).toISOString(),
    selection: selection.what,
    level: selection.level,
    flags,
    ...(shard === undefined ? {} : { shard }),
  };
}

/** By what the cases and invariants of a run are judged. */
export interface Judging {
  readonly suites: Pick<Suites, 'rules'>;
  readonly selected: Pick<Selected, 'cases' | 'rules'>;
  readonly attestations: readonly Attestation[] | undefined;
}

/** The verdicts of the selected rules; of cases that were not selected nothing is taken. */
export function judgeRules(
  cases: Iterable<Summary>,
  invariants: Result['invariants'],
  { suites, selected, attestations }: Judging,
): Result['rules'] {
  const tallies = createRuleTallies(suites.rules, attestations);
  const byId = new Map(selected.cases.map((given) => [given.id, given]));
  for (const one of cases) {
    const given = byId.get(one.id);
    if (given !== undefined) tallies.addCase(one, rulesOf(given));
  }
  for (const invariant of invariants) tallies.addInvariant(invariant);
  return tallies.conclude(selected.rules);
}

/** A list of expected failures. Its entries may name what was not selected: that is not judged, and is no mistake. */
interface Expecting {
  readonly expected?: readonly ExpectedFailure[];
  /** What an entry may name. */
  readonly nameable: Suites;
  /** The day, UTC: `2026-11-21`. */
  readonly today: string;
}

/** All cases of a run have ended; `cases` are in the order of the suites. */
export interface Ended extends Pick<Result, 'invariants' | 'unsolicited'> {
  readonly cases: readonly Summary[];
  /** Why the run cannot be conformant: it was stopped, or it is not the whole. */
  readonly incomplete: string | undefined;
}

/** What the footer says of the run itself, whatever its verdicts. */
export type Measures = Omit<ResultFooter, 'outcome' | 'reasons' | 'score' | 'areas' | 'counts' | 'expected'>;

/** The last two entries of a journal: what is concluded from all cases, and how the run came out. */
export function conclude(
  { cases, invariants, unsolicited, incomplete }: Ended,
  judging: Judging & Expecting,
  { endedAt, interrupted, ...measures }: Measures,
): readonly JournalEntry[] {
  const { expected, nameable, today } = judging;
  const rules = judgeRules(cases, invariants, judging);
  const known = { ...knownOf(nameable, today), judges: [...cases, ...invariants], rules };
  const footer: ResultFooter = {
    endedAt,
    ...concludeOutcome(rules, incomplete),
    interrupted,
    score: scores(rules),
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    ...(expected === undefined ? {} : { expected: judgeExpected(expected, known) }),
    ...measures,
  };
  const end = { cases: cases.map(({ id }) => id), rules, invariants, unsolicited };
  return [
    { kind: 'end', end },
    { kind: 'footer', footer },
  ];
}
