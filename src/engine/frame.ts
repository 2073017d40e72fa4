import { randomBytes } from 'node:crypto';
import { concludeOutcome, countVerdicts, scores, scoresByArea } from '../judge/score.ts';
import type { Result, ResultFooter, ResultHeader } from '../model/result.ts';
import type { RunOptions, Stop } from './run-options.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

const clockNote: Readonly<Record<Timeline['kind'], string>> = {
  real: 'Every wait lasted as long as it says.',
  driven: 'Both clocks jumped over every wait.',
};

/** What stands at the head of the result: what is run, with what, against whom. */
export function headerOf(
  { suites, target, selection, tool, flags }: RunOptions,
  world: Pick<World, 'timeline' | 'endpoints'>,
): ResultHeader {
  const { kind } = world.timeline;
  return {
    format: 'carrierspec-result',
    version: 1,
    run: randomBytes(8).toString('hex'),
    tool,
    suites: { ...suites.digests, files: suites.files },
    target: {
      name: target.name,
      file: target.file,
      issuer: world.endpoints.issuer,
      fingerprint: target.fingerprint,
    },
    clock: { kind, note: clockNote[kind] },
    startedAt: new Date(world.timeline.now()).toISOString(),
    selection: selection.what,
    level: selection.level,
    flags,
  };
}

/** What stands at its end: how it came out. `startedAt` is of performance.now(). */
export function footerOf(result: Omit<Result, 'footer'>, stop: Stop, world: World, startedAt: number): ResultFooter {
  const { rules } = result;
  const { outcome, reasons } = concludeOutcome(rules, stop.reason);
  const skew = world.timeline.kind === 'real' ? world.skew.current() : undefined;
  return {
    endedAt: new Date(world.timeline.now()).toISOString(),
    outcome,
    reasons,
    interrupted: stop.interrupted,
    ...(skew === undefined ? {} : { skew }),
    score: scores(rules),
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    wallMilliseconds: Math.round(performance.now() - startedAt),
    ...world.counts,
  };
}
