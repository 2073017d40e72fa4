import type { JsonObject } from '../../../lib/json.ts';
import { type Abilities, completedEntries } from './accepted.ts';
import type { Point } from './points.ts';

/** A request that every conforming carrier refuses. */
export type Deviation = Pick<Point, 'difference' | 'rule' | 'outcome' | 'error'>;

/** A request of a session, as the model knows it (§3). */
export interface Request {
  /** The name of its step. */
  readonly name: string;
  readonly difference: JsonObject;
  /** Seconds that it asks for, and the second of the session at which it was sent. */
  readonly life: number;
  readonly sentAt: number;
  readonly client: string;
  state: 'pending' | 'completed' | 'denied' | 'cancelled' | 'timed-out';
}

/** What a conforming carrier knows after the commands so far, and the steps that show it. */
export interface Session {
  readonly prefix: string;
  readonly abilities: SessionAbilities;
  readonly requests: Request[];
  readonly steps: JsonObject[];
  /** Seconds since its beginning, as far as the session itself waits. */
  now: number;
  /** Waits before the next step, in seconds; and the step it counts from. */
  wait: number;
  anchor: string | undefined;
  count: number;
  /** The second at which the SIM was moved last. */
  movedAt: number | undefined;
}

export interface SessionAbilities extends Abilities {
  readonly cancel: boolean;
  readonly consent: boolean;
  readonly moveSim: boolean;
  readonly events: boolean;
  readonly rotateKeys: boolean;
  /** Several requests may wait for one subscriber. */
  readonly severalPending: boolean;
  readonly secondClient: boolean;
  /** Seconds that an event, and a callback, may take. */
  readonly latency: { readonly event: number; readonly callback: number };
}

export const openSession = (prefix: string, abilities: SessionAbilities): Session => ({
  prefix,
  abilities,
  requests: [],
  steps: [],
  now: 0,
  wait: 0,
  anchor: undefined,
  count: 0,
  movedAt: undefined,
});

/** Adds a step; gives its name. What waits before it becomes its moment. */
export function addStep(session: Session, step: JsonObject): string {
  session.count += 1;
  const name = `${session.prefix}s${session.count}`;
  const waits = session.wait > 0 && session.anchor !== undefined;
  session.steps.push({ as: name, ...(waits ? { at: `${session.anchor} + ${session.wait}s` } : {}), ...step });
  session.wait = 0;
  session.anchor = name;
  return name;
}

/** Seconds for which a pending request is surely pending: a carrier may grant less than was asked, and two minutes are usual. */
const surelyPending = 100;
/** Seconds after which a time-out has surely come. */
const surelyOver = 60;

export const isOpen = ({ now, wait }: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && now + wait - sentAt < Math.min(life, surelyPending) - 15;

export const isOver = ({ now, wait }: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && now + wait - sentAt > life + surelyOver;

const decide = (session: Session, action: string, { name }: Request): string =>
  addStep(session, { trigger: { action, of: name, ifPossible: true } });

/** §2.3, §2.4: a valid request is accepted. */
export function authorize(session: Session, difference: JsonObject, more: { life: number; client: string }): void {
  const { life, client } = more;
  const sent = client === 'main' ? difference : { ...difference, client };
  const name = addStep(session, { authorize: sent, expect: { outcome: 'accepted', rule: 'TRN-014' } });
  session.requests.push({ name, difference, life, client, sentAt: session.now, state: 'pending' });
}

/** §1.2, §3: an approval of a pending request brings tokens, and takes the request from the phone. */
export function approve(session: Session, request: Request): void {
  const before = `${request.name} + ${request.name}.granted - 2s`;
  addStep(session, { by: before, trigger: { action: 'approve', of: request.name, ifPossible: true } });
  const { difference } = request;
  addStep(session, { await: 'callback', of: request.name, expect: completedEntries({ difference }) });
  request.state = 'completed';
  if (session.abilities.look)
    addStep(session, { look: 'card', of: request.name, expect: { rule: 'FLOW-016', equals: { 'card.shown': false } } });
}

/** §1.2, §7: a denial brings an error and no tokens. */
export function deny(session: Session, request: Request): void {
  addStep(session, {
    by: `${request.name} + ${request.name}.granted - 2s`,
    trigger: { action: 'deny', of: request.name, ifPossible: true },
  });
  addStep(session, { await: 'callback', of: request.name, expect: { outcome: 'failed', rule: 'FLOW-003' } });
  request.state = 'denied';
}

const ruleOfState = { completed: 'FLOW-014', denied: 'FLOW-014', cancelled: 'CXL-002#final', 'timed-out': 'FLOW-012' };

/** §3: what has ended brings no tokens any more, whatever the user does. */
export function decideAgain(session: Session, request: Request, action: 'approve' | 'deny'): void {
  if (request.state === 'pending') return;
  const name = decide(session, action, request);
  addStep(session, {
    await: 'callback',
    of: request.name,
    until: `${name} + target.latency.callback + 5s`,
    expect: {
      outcome: request.state === 'completed' && action === 'deny' ? 'no-error' : 'no-tokens',
      rule: ruleOfState[request.state],
    },
  });
  session.now += session.abilities.latency.callback + 5;
}

/** §2.4, §3: what nobody decided ends with an error callback. */
export function timeOut(session: Session, request: Request): void {
  addStep(session, {
    await: 'callback',
    of: request.name,
    until: `${request.name} + ${request.name}.claims.expires_in + target.latency.callback + 60s`,
    expect: { outcome: 'failed', rule: 'FLOW-013' },
  });
  request.state = 'timed-out';
}

/** §2.3 jti: within 5 minutes neither the same object nor its jti is accepted again. */
export function repeat(session: Session, request: Request, how: 'object' | 'jti'): void {
  const jti = { claims: { jti: `{{ ${request.name}.claims.jti }}` } };
  addStep(session, {
    by: `${request.name} + 290s`,
    authorize: {
      ...(how === 'object' ? { again: request.name } : jti),
      ...(request.client === 'main' ? {} : { client: request.client }),
    },
    expect: { outcome: 'denied-or-dropped', rule: 'REQ-015' },
  });
}

export const mayRepeat = ({ now, wait }: Session, { sentAt, difference }: Request): boolean =>
  now + wait - sentAt < 240 && !JSON.stringify(difference).includes('jti');

/** §4.4: a cancelled request brings no tokens. */
export function cancel(session: Session, request: Request): void {
  const assertion = addStep(session, { sign: { base: 'client-assertion' } });
  addStep(session, {
    http: {
      to: 'cancel',
      parameters: {
        auth_req_id: `{{ ${request.name}.body.auth_req_id }}`,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `{{ ${assertion}.jws }}`,
      },
    },
    control: true,
    expect: { outcome: 'accepted', rule: 'CXL-002' },
  });
  request.state = 'cancelled';
}

/** §6: a device change is reported once within 60 minutes. */
export function moveSim(session: Session): void {
  const name = addStep(session, { trigger: 'move-sim' });
  const last = session.movedAt;
  const quiet = last === undefined ? Infinity : session.now - last;
  const expected =
    quiet > 75 * 60 ? { outcome: 'delivered', rule: 'EVT-015' } : { outcome: 'silence', rule: 'EVT-018' };
  // Whether the window goes on from a dropped one is open: between an hour and an hour and a quarter nothing is said.
  if (quiet > 75 * 60 || quiet < 45 * 60)
    addStep(session, {
      await: 'events',
      event: 'device_change',
      until: `${name} + target.latency.event + 5s`,
      expect: expected,
    });
  session.now += session.abilities.latency.event + 5;
  session.movedAt = session.now;
}

/** §1.3: consent that was taken back and given again is consent. */
export function renewConsent(session: Session): void {
  const removed = addStep(session, { trigger: 'remove-consent' });
  addStep(session, { at: `${removed} + target.latency.event + target.latency.consent`, trigger: 'give-consent' });
  session.wait += 61;
}

/** §5.6: what was signed before a rotation stays valid, and so do requests that wait. */
export function rotateKeys(session: Session): void {
  addStep(session, { trigger: 'rotate-keys' });
}

/** §5.1: what a rule refuses is refused in every state. */
export function deviate(session: Session, { difference, rule, outcome, error }: Deviation): void {
  const expect = { outcome, rule, ...(error === undefined ? {} : { error: [...error] }) };
  addStep(session, { authorize: difference, expect });
}
