import { randomBytes } from 'node:crypto';
import { concludeOutcome, countVerdicts, scores, scoresByArea } from '../judge/score.ts';
import type { Result, ResultFooter, ResultHeader } from '../model/result.ts';
import type { Fixed } from './resume/restore.ts';
import type { RunOptions, Stop } from './run-options.ts';
import type { Timeline } from './clock/timeline.ts';
import type { World } from './world/world.ts';

const clockNote: Readonly<Record<Timeline['kind'], string>> = {
  real: 'Every wait lasted as long as it says.',
  virtual: 'Both clocks jumped over every wait.',
};

/** What is the same when a run that was cut off is resumed. */
export const fixedOf = ({ suites, target, selection, tool, flags, shard }: RunOptions): Fixed => ({
  tool,
  suites: suites.digests,
  target: { fingerprint: target.fingerprint },
  selection: selection.what,
  level: selection.level,
  flags,
  ...(shard === undefined ? {} : { shard }),
});

/** What stands at the head of the result: what is run, with what, against whom. */
export function headerOf(
  { suites, target, selection, tool, flags, shard }: RunOptions,
  world: Pick<World, 'timeline' | 'endpoints'>,
): ResultHeader {
  const { kind } = world.timeline;
  return {
    format: 'carrierspec-result',
    version: 2,
    run: randomBytes(8).toString('hex'),
    tool,
    suites: { ...suites.digests, files: suites.files },
    target: {
      name: target.name,
      file: target.file,
      issuer: world.endpoints.issuer,
      fingerprint: target.fingerprint,
      ...(target.testCarrier === undefined ? {} : { testCarrier: target.testCarrier }),
    },
    clock: { kind, note: clockNote[kind] },
    startedAt: new Date(world.timeline.now()).toISOString(),
    selection: selection.what,
    level: selection.level,
    flags,
    ...(shard === undefined ? {} : { shard }),
  };
}

/** A part is never conformant: others judge the same rules. */
const partOf = ({ shard }: ResultHeader): string | undefined =>
  shard === undefined ? undefined : `shard ${shard.index} of ${shard.of}: carrierspec merge joins it with the others`;

/** What else the end of a run needs: `startedAt` is of performance.now(). */
export interface Ending extends Pick<ResultFooter, 'expected' | 'left' | 'gaps' | 'limits' | 'profile'> {
  readonly stop: Stop;
  readonly world: World;
  readonly startedAt: number;
}

/** What stands at its end: how it came out. */
export function footerOf(
  { header, rules }: Omit<Result, 'footer'>,
  { stop, world, startedAt, ...rest }: Ending,
): ResultFooter {
  const { outcome, reasons } = concludeOutcome(rules, stop.reason ?? partOf(header));
  const skew = world.timeline.kind === 'real' ? world.skew.current() : undefined;
  return {
    endedAt: new Date(world.timeline.now()).toISOString(),
    outcome,
    reasons,
    interrupted: stop.interrupted,
    ...(stop.reason === undefined ? {} : { stopped: true as const }),
    ...(skew === undefined ? {} : { skew }),
    ...(world.lag === undefined ? {} : { receiverLag: Math.round(world.lag.worst()) }),
    score: scores(rules),
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    ...rest,
    wallMilliseconds: Math.round(performance.now() - startedAt),
    ...world.counts,
  };
}
