import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import type { LimitProbe } from '../../model/limit.ts';
import type { Position } from '../../model/position.ts';
import type { Difference, TemplateMap } from '../../model/suite.ts';
import type { Scope, Template } from '../../model/template.ts';
import { authorize } from '../act/act-authorize.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { probeDrop } from '../act/repeat.ts';
import type { World } from '../world/world.ts';
import type { Step } from '../../suite/suites.ts';

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

/** Seconds that a probe stays on a phone where nobody approves it. */
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

/** What says nothing about a limit. RFC 6585 §4; RFC 6749 §4.1.2.1. */
function requireMeaning({ noResponse, status, body, summary }: ResponseObservation): void {
  if (noResponse === 'refused' || noResponse === 'unresolved' || noResponse === 'tls') throw new Unmet(summary);
  const throttled = status === 429 || (isJsonObject(body) && body['error'] === 'temporarily_unavailable');
  if (throttled) throw new Unmet(`the carrier throttled the probes (${summary})`);
}

/** UTF-16 units of an answer that are kept: an error code is whatever a carrier says. */
const longestResponse = 200;

const shown = (response: string, { redactor }: CaseContext): string =>
  redactor.text(response).slice(0, longestResponse);

/**
 * Sends one request object. Where approving is no work for anybody, an accepted one is approved: a carrier may accept and
 * drop what it should deny (§7), and what is approved waits on no phone.
 */
export async function sendProbe(difference: Difference, ctx: CaseContext, world: World): Promise<Probed> {
  const { position } = ctx.case;
  const step: Step = {
    name: 'probe',
    position,
    act: { verb: 'authorize', difference },
    control: false,
    expectations: [{ rules: [], position, outcome: 'denied-or-dropped' }],
    record: [],
  };
  ctx.lastAuthorize = step.name;
  let observation = await authorize(difference, step, ctx, world);
  if (observation.kind !== 'response') throw new TypeError('a request object is answered');
  requireMeaning(observation);
  const { took } = observation;
  const driver = world.target.drivers['approve'];
  if (observation.outcome === 'accepted' && driver !== undefined && driver.kind !== 'ask') {
    observation = await probeDrop(observation, step, ctx, world);
  }
  for (const inbox of ctx.inboxes.splice(0)) world.correlator.forget(inbox, inbox.correlationKeys);
  return {
    held: observation.outcome === 'accepted' && observation.dropped !== true,
    response: shown(observation.dropped === true ? `${observation.summary}, and dropped` : observation.summary, ctx),
    took,
    sentAt: observation.sentAt,
    claims: observation.claims,
  };
}
