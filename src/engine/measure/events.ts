import type { Json, JsonObject } from '../../lib/json.ts';
import type { Limit, LimitProbe } from '../../model/limit.ts';
import type { VerbTable } from '../../suite/verbs/define.ts';
import type { Case } from '../../suite/suites.ts';
import { runCase } from '../case/run-case.ts';
import { allAtOnce } from '../clock/timeline.ts';
import { type Assignment, Unmet, type World } from '../context/case-context.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';

/** Seconds within which an event that is not dropped has come. */
const soon = 90;

/** The tag of the subscribers whom events are about, as of every case that names none. */
const tag = 'consented';

/** Subscribers whose windows are measured side by side. */
const most = 3;

/** Raises the event, then again after each rung, and records how many came each time. */
export function eventCase(
  { name }: Pick<Limit, 'name'>,
  { action, rungs }: { readonly action: string; readonly rungs: readonly number[] },
  verbs: VerbTable,
): Case {
  const listen = (of: string): JsonObject => ({ await: 'events', until: `${of} + ${soon}s` });
  const again = rungs.flatMap((rung): Json[] => [
    { as: `again${rung}`, at: `first + ${rung}s`, trigger: action },
    {
      as: `heard${rung}`,
      ...listen(`again${rung}`),
      expect: 'delivered',
      record: { [String(rung)]: `{{ heard${rung}.count }}` },
    },
  ]);
  const steps: Json = [{ as: 'first', trigger: action }, { as: 'told', ...listen('first') }, ...again];
  const suite = { source: 'measure', area: 'measure', tampers: new Set<string>(), verbs };
  const given: Json = { id: `measure-${name}`, title: name, steps };
  const { cases, problems } = compileGenerated([given], suite);
  const [compiled] = cases;
  if (compiled === undefined || problems.length > 0) throw new TypeError(problems[0]?.message ?? 'no case');
  return { ...compiled, watched: false };
}

/** Up to the first that was delivered: from there on another window counts. */
function probesOf(recorded: Readonly<Record<string, Json>>, rungs: readonly number[]): readonly LimitProbe[] {
  const probes: LimitProbe[] = [];
  for (const at of rungs) {
    const count = recorded[String(at)];
    if (typeof count !== 'number') break;
    probes.push({ at, held: count === 0, response: count === 0 ? 'dropped' : 'delivered' });
    if (count > 0) break;
  }
  return probes;
}

/** One ladder, its rungs dealt out to several subscribers at once, each with a window of its own. */
export async function climbEvents(
  { limit, action, rungs }: { readonly limit: Limit; readonly action: string; readonly rungs: readonly number[] },
  assignment: Assignment,
  world: World,
): Promise<readonly LimitProbe[]> {
  const alike = world.target.subscribers.filter(
    ({ tags, subs }) => tags.includes(tag) && subs[assignment.client.name] !== undefined,
  );
  // The first one has the other probes.
  const subscribers = alike.slice(alike.length > 1 ? 1 : 0, 1 + most);
  const climbs = subscribers.map((subscriber, index) => async () => {
    const mine = rungs.filter((_, at) => at % subscribers.length === index);
    const given = eventCase(limit, { action, rungs: mine }, world.interface.verbs);
    const runnable = { case: given, assignment: { ...assignment, subscriber } };
    return { mine, result: await runCase(runnable, index, world) };
  });
  const ended = await allAtOnce(world.timeline, climbs);
  const stopped = ended.find(({ result }) => result.verdict !== 'pass');
  const probes = ended.flatMap(({ mine, result }) => probesOf(result.recorded, mine));
  if (probes.length === 0) throw new Unmet(stopped?.result.reason ?? 'no event was seen');
  return probes.toSorted((a, b) => a.at - b.at);
}
