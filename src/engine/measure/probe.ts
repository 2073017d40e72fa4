import type { ResponseObservation } from '../../judge/observation.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { LimitProbe, Limit } from '../../model/limit.ts';
import type { Position } from '../../model/position.ts';
import type { Difference, TemplateMap } from '../../model/suite.ts';
import type { Scope, Template } from '../../model/template.ts';
import { perform } from '../act/verb.ts';
import { isThrottled } from '../../judge/throttled.ts';
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
import { compileGenerated } from '../../suite/compile/generated.ts';

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

/** Seconds that a probe stays on a phone where it is not approved. */
const shortLife = 60;

/** The difference with the value that is tried; a probe that says nothing else is short-lived. */
export function bindProbe({ claims = [], header, ...rest }: Difference, value: number, position: Position): Difference {
  const bind = (map: TemplateMap): TemplateMap => map.map(([name, template]) => [name, withProbe(template, value)]);
  const short: TemplateMap = claims.some(([name]) => name === 'expires_in')
    ? []
    : [['expires_in', constant(shortLife, position)]];
  return { ...rest, claims: [...short, ...bind(claims)], ...(header === undefined ? {} : { header: bind(header) }) };
}

export interface Probed extends Omit<LimitProbe, 'at'> {
  /** Milliseconds that the exchange took, and when it was sent, in seconds. */
  readonly took: number;
  readonly sentAt: number;
  readonly claims: ResponseObservation['claims'];
}

/** The response must say something about a limit. */
function requireMeaning(response: ResponseObservation): void {
  if (isUnreachable(response)) throw new Unmet(response.summary);
  if (isThrottled(response)) throw new Unmet(`the carrier throttled the probes (${response.summary})`);
}

/** UTF-16 units of a response that are kept: a carrier chooses its error codes. */
const longestResponse = 200;

const shown = (response: string, { redactor }: CaseContext): string =>
  redactor.text(response).slice(0, longestResponse);

/**
 * Sends one request object. Where approving needs no person, an accepted one is approved: a carrier may accept and drop what it
 * should deny, and what is approved waits on no phone.
 */
export async function sendProbe(difference: Difference, ctx: CaseContext): Promise<Probed> {
  const { position } = ctx.case;
  const step: Step = {
    name: 'probe',
    position,
    act: ctx.world.interface.validRequest(difference),
    control: false,
    expectations: [{ rules: [], position, outcome: 'denied-or-dropped' }],
    record: [],
  };
  const response = await perform(step, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  requireMeaning(response);
  const driver = ctx.world.target.drivers['approve'];
  const probes = response.outcome === 'accepted' && driver !== undefined && !isAttended(driver);
  const { outcome, dropped, summary } = probes ? await probeDrop(response, step.name, ctx) : response;
  closeInboxes(ctx);
  ctx.state.inboxes.length = 0;
  return {
    held: outcome === 'accepted' && dropped !== true,
    response: shown(dropped === true ? `${summary}, and dropped` : summary, ctx),
    took: response.took,
    sentAt: response.sentAt,
    claims: response.claims,
  };
}

/** Seconds that the requests live: all of them have to wait at the same time. */
const life = 300;

/** One more valid request, which is left alone. */
async function leaveOne(name: string, ctx: CaseContext): Promise<Omit<LimitProbe, 'at'>> {
  const { position } = ctx.case;
  const difference = bindProbe({ claims: [['expires_in', constant(life, position)]] }, 0, position);
  const act = ctx.world.interface.validRequest(difference);
  const step: Step = { name, position, act, control: false, expectations: [], record: [] };
  const response = await perform(step, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  if (isUnreachable(response)) throw new Unmet(response.summary);
  return { held: response.outcome === 'accepted', response: ctx.redactor.text(response.summary) };
}

async function denyAll(ctx: CaseContext): Promise<void> {
  await denyPending(ctx);
  await awaitDenied(ctx);
  closeInboxes(ctx);
}

/** How many requests a carrier lets wait for one subscriber: valid ones are left alone until one is refused, and denied then. */
export async function fillUp(most: number, ctx: CaseContext): Promise<Measured> {
  const probes: LimitProbe[] = [];
  try {
    while (probes.length < most && probes.every(({ held }) => held)) {
      const at = probes.length + 1;
      probes.push({ at, ...(await leaveOne(`waiting${at}`, ctx)) });
    }
  } finally {
    await denyAll(ctx);
  }
  const value = probes.filter(({ held }) => held).length;
  if (value === 0) return { state: 'nothing', value: 1, probes };
  return { state: value === most ? 'beyond' : 'limit', value, uncertainty: 0, probes };
}

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
