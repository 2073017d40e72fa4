import type { ResponseObservation } from '../../judge/observation.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { LimitProbe, Limit } from '../../model/limit.ts';
import type { Position } from '../../model/rule.ts';
import type { Difference, TemplateMap, Scope, Template } from '../../model/suite.ts';
import { performAct } from '../act/verb.ts';
import { isThrottled } from '../../judge/classify.ts';
import { isUnreachable } from '../act/judge-step.ts';
import { probeDropped } from '../act/repeat.ts';
import { type CaseContext, Unmet, type Assignment, type RunServices } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { isAttendedDriver, denyPendingInboxes } from '../drive/drive.ts';
import type { Step, Case } from '../../suite/suites.ts';
import { awaitDenied } from '../case/deliveries.ts';
import type { LimitMeasurement } from './limit.ts';
import type { VerbTable } from '../../suite/verbs/verb.ts';
import { runCase } from '../case/run-case.ts';
import { runConcurrently } from '../clock/timeline.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';

const withProbe = (template: Template, value: number): Template => ({
  ...template,
  evaluate: (scope: Scope) =>
    template.evaluate({ ...scope, root: (name) => (name === 'probe' ? value : scope.root(name)) }),
});

export const constantTemplate = (value: Json, position: Position): Template => ({
  source: value,
  position,
  paths: [],
  evaluate: () => value,
});

/** Life of a probe that is not approved, in seconds. */
const probeLife = 60;

/** Binds the tried value into the difference; gives the probe a short life unless the difference sets one. */
export function bindProbe({ claims = [], header, ...rest }: Difference, value: number, position: Position): Difference {
  const bind = (map: TemplateMap): TemplateMap => map.map(([name, template]) => [name, withProbe(template, value)]);
  const short: TemplateMap = claims.some(([name]) => name === 'expires_in')
    ? []
    : [['expires_in', constantTemplate(probeLife, position)]];
  return { ...rest, claims: [...short, ...bind(claims)], ...(header === undefined ? {} : { header: bind(header) }) };
}

export interface ProbeOutcome extends Omit<LimitProbe, 'at'> {
  /** Duration of the exchange in milliseconds; `sentAt` in seconds since the epoch. */
  readonly took: number;
  readonly sentAt: number;
  readonly claims: ResponseObservation['claims'];
}

/** Sends one valid request with a difference. Throws Unmet if the carrier cannot be reached. */
async function sendRequest(
  { name, difference, expectations = [] }: ProbeRequest,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { position } = ctx.case;
  const act = ctx.services.interface.validRequest(difference);
  const response = await performAct({ name, position, act, control: false, expectations, record: [] }, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  if (isUnreachable(response)) throw new Unmet(response.summary);
  return response;
}

interface ProbeRequest extends Partial<Pick<Step, 'expectations'>> {
  readonly name: string;
  readonly difference: Difference;
}

/** Longest response kept, in UTF-16 units: a carrier chooses its error codes. */
const maxProbeResponse = 200;

/** Sends one request object, and approves an accepted one if that needs no person. */
export async function sendProbe(difference: Difference, ctx: CaseContext): Promise<ProbeOutcome> {
  const expectations = [{ rules: [], position: ctx.case.position, outcome: 'denied-or-dropped' as const }];
  const response = await sendRequest({ name: 'probe', difference, expectations }, ctx);
  if (isThrottled(response)) throw new Unmet(`the carrier throttled the probes (${response.summary})`);
  const driver = ctx.services.target.drivers['approve'];
  const probes = response.outcome === 'accepted' && driver !== undefined && !isAttendedDriver(driver);
  const { outcome, dropped, summary } = probes ? await probeDropped(response, 'probe', ctx) : response;
  closeInboxes(ctx);
  ctx.state.inboxes.length = 0;
  return {
    held: outcome === 'accepted' && dropped !== true,
    response: ctx.redactor.text(dropped === true ? `${summary}, and dropped` : summary).slice(0, maxProbeResponse),
    took: response.took,
    sentAt: response.sentAt,
    claims: response.claims,
  };
}

/** Life of the requests, in seconds: all of them must be pending at the same time. */
const pendingLife = 300;

/** Measures how many pending requests a carrier allows a subscriber: sends until one is refused, then denies them. */
export async function fillPending(most: number, ctx: CaseContext): Promise<LimitMeasurement> {
  const probes: LimitProbe[] = [];
  const difference = bindProbe(
    { claims: [['expires_in', constantTemplate(pendingLife, ctx.case.position)]] },
    0,
    ctx.case.position,
  );
  try {
    while (probes.length < most && probes.every(({ held }) => held)) {
      const at = probes.length + 1;
      const { outcome, summary } = await sendRequest({ name: `waiting${at}`, difference }, ctx);
      probes.push({ at, held: outcome === 'accepted', response: ctx.redactor.text(summary) });
    }
  } finally {
    await denyPendingInboxes(ctx);
    await awaitDenied(ctx);
    closeInboxes(ctx);
  }
  const value = probes.filter(({ held }) => held).length;
  if (value === 0) return { state: 'nothing', value: 1, probes };
  return { state: value === most ? 'beyond' : 'limit', value, uncertainty: 0, probes };
}

/** Seconds within which an event arrives unless it is dropped. */
const maxEventDelay = 90;

/** Default tag of a case's subscriber, and so of the subscribers of events. */
const eventTag = 'consented';

/** Most subscribers measured concurrently. */
const maxClimbers = 3;

export function compileProbeCase(
  { name, title }: Pick<Limit, 'name' | 'title'>,
  steps: readonly Json[],
  verbs: VerbTable,
): Case {
  const suite = { source: 'measure', area: 'measure', tampers: new Set<string>(), verbs };
  const { cases, problems } = compileGenerated([{ id: `measure-${name}`, title, steps: [...steps] }], suite);
  const [compiled] = cases;
  if (compiled === undefined || problems.length > 0) throw new TypeError(problems[0]?.message ?? 'no case');
  return compiled;
}

/** Case that raises the event, then again after each rung, and records how many arrived each time. */
export function eventCase({ name }: Pick<Limit, 'name'>, { action, rungs }: EventLadder, verbs: VerbTable): Case {
  const listen = (of: string): JsonObject => ({ await: 'events', until: `${of} + ${maxEventDelay}s` });
  const again = rungs.flatMap((rung): Json[] => [
    { as: `again${rung}`, at: `first + ${rung}s`, trigger: action },
    {
      as: `heard${rung}`,
      ...listen(`again${rung}`),
      expect: 'delivered',
      record: { [String(rung)]: `{{ heard${rung}.count }}` },
    },
  ]);
  const steps = [{ as: 'first', trigger: action }, { as: 'told', ...listen('first') }, ...again];
  return { ...compileProbeCase({ name, title: name }, steps, verbs), watched: false };
}

interface EventLadder {
  readonly action: string;
  readonly rungs: readonly number[];
}

/** Probes up to the first delivered event: after it another window counts. */
function ladderProbes(recorded: Readonly<Record<string, Json>>, rungs: readonly number[]): readonly LimitProbe[] {
  const probes: LimitProbe[] = [];
  for (const at of rungs) {
    const count = recorded[String(at)];
    if (typeof count !== 'number') break;
    probes.push({ at, held: count === 0, response: count === 0 ? 'dropped' : 'delivered' });
    if (count > 0) break;
  }
  return probes;
}

/** Climbs one ladder, its rungs dealt to several subscribers, each with a window of its own. */
export async function climbEvents(
  { limit, action, rungs }: EventLadder & { readonly limit: Limit },
  assignment: Assignment,
  services: RunServices,
): Promise<readonly LimitProbe[]> {
  const alike = services.target.subscribers.filter(
    ({ tags, subs }) => tags.includes(eventTag) && subs[assignment.client.name] !== undefined,
  );
  // The first subscriber has the other probes.
  const subscribers = alike.slice(alike.length > 1 ? 1 : 0, 1 + maxClimbers);
  const climbs = subscribers.map((subscriber, index) => async () => {
    const mine = rungs.filter((_, at) => at % subscribers.length === index);
    const given = eventCase(limit, { action, rungs: mine }, services.interface.verbs);
    const runnable = { case: given, assignment: { ...assignment, subscriber } };
    return { mine, result: await runCase(runnable, index, services) };
  });
  const ended = await runConcurrently(services.timeline, climbs);
  const stopped = ended.find(({ result }) => result.verdict !== 'pass');
  const probes = ended.flatMap(({ mine, result }) => ladderProbes(result.recorded, mine));
  if (probes.length === 0) throw new Unmet(stopped?.result.reason ?? 'no event was seen');
  return probes.toSorted((a, b) => a.at - b.at);
}
