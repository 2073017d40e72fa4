import type { BaseRequest } from '../../model/suite.ts';
import type { Target } from '../../model/target.ts';
import { MissingValue, type Scope, type Template } from '../../model/template.ts';
import type { Request } from './planned-request.ts';
import type { Case, Step } from '../../suite/suites.ts';

/** Something that a person is asked to do, seconds after the case began. */
export interface PlannedAsk {
  readonly at: number;
  readonly action: string;
  readonly step: string;
}

export interface PlannedWorld {
  readonly target: Pick<Target, 'deliveryTimeout' | 'drivers'>;
  readonly base: BaseRequest;
}

export interface Walk {
  readonly given: Case;
  readonly world: PlannedWorld;
  readonly scope: Scope;
  readonly traces: Map<string, Readonly<Record<string, unknown>>>;
  readonly requests: Request[];
  readonly prompt: PlannedAsk[];
  raisedAt: number | undefined;
  eventsTaken: number;
  now: number;
}

function readTemplate(template: Template | undefined, scope: Scope): unknown {
  try {
    return template?.evaluate(scope);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

export function openWalk(given: Case, world: PlannedWorld): Walk {
  const traces: Walk['traces'] = new Map();
  const scope: Scope = {
    now: () => walk.now,
    random: (bytes) => '0'.repeat(bytes),
    root: (name) => {
      if (name !== 'each') return traces.get(name);
      return Object.fromEntries(given.each.map(([key, template]) => [key, readTemplate(template, scope)]));
    },
  };
  const walk: Walk = {
    given,
    world,
    scope,
    traces,
    requests: [],
    prompt: [],
    raisedAt: undefined,
    eventsTaken: 0,
    now: 0,
  };
  return walk;
}

/** Seconds of a moment; undefined where it rests on something that only a run can know. */
export function momentOf(moment: Step['at'], { scope }: Walk): number | undefined {
  try {
    return moment?.evaluate(scope);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}
