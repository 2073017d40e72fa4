import type { ResponseObservation } from '../../judge/observation.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { LimitProbe, Limit } from '../../model/limit.ts';
import type { Position } from '../../model/rule.ts';
import type { Difference, TemplateMap, Scope, Template } from '../../model/suite.ts';
import { perform } from '../act/verb.ts';
import { isThrottled } from '../../judge/classify.ts';
import { isUnreachable } from '../act/judge-step.ts';
import { probeDrop } from '../act/repeat.ts';
import { type CaseContext, Unmet, type Assignment, type World } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { isAttended, denyPending } from '../drive/drive.ts';
import type { Step, Case } from '../../suite/suites.ts';
import { awaitDenied } from '../case/deliveries.ts';
import type { Measured } from './limit.ts';
import type { VerbTable } from '../../suite/verbs/define.ts';
import { runCase } from '../case/run-case.ts';
import { allAtOnce } from '../clock/timeline.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';

const withProbe = (template: Template, value: number): Template => ({
  ...template,
  evaluate: (scope: Scope) =>
    template.evaluate({ ...scope, root: (name) => (name === 'probe' ? value : scope.root(name)) }),
});

export const constant = (value: Json, position: Position): Template => ({
  source: value,
  position,
  paths: [],
  evaluate: () => value,
});

/** Life of a probe that is not approved, in seconds. */
const shortLife = 60;

/** Binds the tried value into the difference; gives the probe a short life unless the difference sets one. */
export function bindProbe({ claims = [], header, ...rest }: Difference, value: number, position: Position): Difference {
  const bind = (map: TemplateMap): TemplateMap => map.map(([name, template]) => [name, withProbe(template, value)]);
  const short: TemplateMap = claims.some(([name]) => name === 'expires_in')
    ? []
    : [['expires_in', constant(shortLife, position)]];
  return { ...rest, claims: [...short, ...bind(claims)], ...(header === undefined ? {} : { header: bind(header) }) };
}

export interface Probed extends Omit<LimitProbe, 'at'> {
  /** Duration of the exchange in milliseconds; `sentAt` in seconds since the epoch. */
  readonly took: number;
  readonly sentAt: number;
  readonly claims: ResponseObservation['claims'];
}

/** Sends one valid request with a difference. Throws Unmet if the carrier cannot be reached. */
async function sendRequest(
  { name, difference, expectations = [] }: SentProbe,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { position } = ctx.case;
  const act = ctx.world.interface.validRequest(difference);
  const response = await perform({ name, position, act, control: false, expectations, record: [] }, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  if (isUnreachable(response)) throw new Unmet(response.summary);
  return response;
}

interface SentProbe extends Partial<Pick<Step, 'expectations'>> {
  readonly name: string;
  readonly difference: Difference;
}

/** Longest response kept, in UTF-16 units: a carrier chooses its error codes. */
const longestResponse = 200;

/** Sends one request object, and approves an accepted one if that needs no person. */
export async function sendProbe(difference: Difference, ctx: CaseContext): Promise<Probed> {
  const expectations = [{ rules: [], position: ctx.case.position, outcome: 'denied-or-dropped' as const }];
  const response = await sendRequest({ name: 'probe', difference, expectations }, ctx);
  if (isThrottled(response)) throw new Unmet(`the carrier throttled the probes (${response.summary})`);
  const driver = ctx.world.target.drivers['approve'];
  const probes = response.outcome === 'accepted' && driver !== undefined && !isAttended(driver);
  const { outcome, dropped, summary } = probes ? await probeDrop(response, 'probe', ctx) : response;
  closeInboxes(ctx);
  ctx.state.inboxes.length = 0;
  return {
    held: outcome === 'accepted' && dropped !== true,
    response: ctx.redactor.text(dropped === true ? `${summary}, and dropped` : summary).slice(0, longestResponse),
    took: response.took,
    sentAt: response.sentAt,
    claims: response.claims,
  };
}

/** Life of the requests, in seconds: all of them must be pending at the same time. */
const life = 300;

/** Measures how many pending requests a carrier allows a subscriber: sends until one is refused, then denies them. */
export async function fillUp(most: number, ctx: CaseContext): Promise<Measured> {
  const probes: LimitProbe[] = [];
  const difference = bindProbe({ claims: [['expires_in', constant(life, ctx.case.position)]] }, 0, ctx.case.position);
  try {
    while (probes.length < most && probes.every(({ held }) => held)) {
      const at = probes.length + 1;
      const { outcome, summary } = await sendRequest({ name: `waiting${at}`, difference }, ctx);
      probes.push({ at, held: outcome === 'accepted', response: ctx.redactor.text(summary) });
    }
  } finally {
    await denyPending(ctx);
    await awaitDenied(ctx);
    closeInboxes(ctx);
  }
  const value = probes.filter(({ held }) => held).length;
  if (value === 0) return { state: 'nothing', value: 1, probes };
  return { state: value === most ? 'beyond' : 'limit', value, uncertainty: 0, probes };
}

/** Seconds within which an event arrives unless it is dropped. */
const soon = 90;

/** Default tag of a case's subscriber, and so of the subscribers of events. */
const tag = 'consented';

/** Most subscribers measured concurrently. */
const most = 3;

export function caseOf({ name, title }: Pick<Limit, 'name' | 'title'>, steps: readonly Json[], verbs: VerbTable): Case {
  const suite = { source: 'measure', area: 'measure', tampers: new Set<string>(), verbs };
  const { cases, problems } = compileGenerated([{ id: `measure-${name}`, title, steps: [...steps] }], suite);
  const [compiled] = cases;
  if (compiled === undefined || problems.length > 0) throw new TypeError(problems[0]?.message ?? 'no case');
  return compiled;
}

/** Case that raises the event, then again after each rung, and records how many arrived each time. */
export function eventCase({ name }: Pick<Limit, 'name'>, { action, rungs }: Rungs, verbs: VerbTable): Case {
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
  const steps = [{ as: 'first', trigger: action }, { as: 'told', ...listen('first') }, ...again];
  return { ...caseOf({ name, title: name }, steps, verbs), watched: false };
}

interface Rungs {
  readonly action: string;
  readonly rungs: readonly number[];
}

/** Probes up to the first delivered event: after it another window counts. */
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

/** Climbs one ladder, its rungs dealt to several subscribers, each with a window of its own. */
export async function climbEvents(
  { limit, action, rungs }: Rungs & { readonly limit: Limit },
  assignment: Assignment,
  world: World,
): Promise<readonly LimitProbe[]> {
  const alike = world.target.subscribers.filter(
    ({ tags, subs }) => tags.includes(tag) && subs[assignment.client.name] !== undefined,
  );
  // The first subscriber has the other probes.
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
