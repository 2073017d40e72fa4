import type { ResponseObservation } from '../../judge/observation.ts';
import type { Json } from '../../lib/json.ts';
import type { LimitProbe } from '../../model/limit.ts';
import type { Position } from '../../model/position.ts';
import type { Difference, TemplateMap } from '../../model/suite.ts';
import type { Scope, Template } from '../../model/template.ts';
import { perform } from '../act/verb.ts';
import { isThrottled } from '../../judge/throttled.ts';
import { isUnreachable } from '../act/judge-step.ts';
import { probeDrop } from '../act/repeat.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { isAttended } from '../drive/drive.ts';
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
