import type { JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './abilities.ts';
import { completedEntries, timedOut } from './accepted.ts';
import { acceptedRule } from './parts.ts';
import { expectationOf } from './points.ts';
import type { Deviation } from './rows.ts';

/** Seconds since the start of a session, as a range, because a carrier may take its time. */
interface Moment {
  readonly least: number;
  readonly most: number;
}

/** Request of a session, as the model knows it (§3). */
export interface Request {
  readonly name: string;
  readonly difference: JsonObject;
  /** Requested life, in seconds. */
  readonly life: number;
  readonly sentAt: Moment;
  readonly client: string;
  state: 'pending' | 'completed' | 'denied' | 'cancelled' | 'timed-out';
}

/** Knowledge of a conforming carrier after the commands so far, and the steps that show it. */
export interface Session {
  readonly prefix: string;
  readonly abilities: Abilities;
  readonly requests: Request[];
  readonly steps: JsonObject[];
  now: Moment;
  /** Wait before the next step, in seconds, and the step it counts from. */
  wait: number;
  anchor: string | undefined;
  /** When the SIM was moved last. */
  movedAt: Moment | undefined;
}

export const openSession = (prefix: string, abilities: Abilities): Session => ({
  prefix,
  abilities,
  requests: [],
  steps: [],
  now: { least: 0, most: 0 },
  wait: 0,
  anchor: undefined,
  movedAt: undefined,
});

/** Adds a step and returns its name; a wait before it becomes its moment. */
function addStep(session: Session, step: JsonObject): string {
  const name = `${session.prefix}s${session.steps.length + 1}`;
  const waits = session.wait > 0 && session.anchor !== undefined;
  session.steps.push({ as: name, ...(waits ? { at: `${session.anchor} + ${session.wait}s` } : {}), ...step });
  session.wait = 0;
  session.anchor = name;
  return name;
}

/** Seconds for which a request is surely pending: a carrier may grant less than was asked, and two minutes are usual. */
const surelyPending = 100;
/** Seconds after which a time-out has surely come. */
const surelyOver = 60;

/** Lets at least `seconds` pass, and at most `upTo`. */
export function pass(session: Session, seconds: number, upTo: number = seconds): void {
  const { least, most } = session.now;
  session.now = { least: least + seconds, most: most + upTo };
}

const sinceAtMost = ({ now }: Session, { least }: Moment): number => now.most - least;
const sinceAtLeast = ({ now }: Session, { most }: Moment): number => now.least - most;

export const isOpen = (session: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && sinceAtMost(session, sentAt) < Math.min(life, surelyPending) - 15;

export const isOver = (session: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && sinceAtLeast(session, sentAt) > life + surelyOver;

const decide = (session: Session, action: string, { name }: Request): string =>
  addStep(session, { trigger: { action, of: name, ifPossible: true } });

/** Decides while the request is surely pending; a late decision is not judged. */
const decideInTime = (session: Session, action: string, { name }: Request): string =>
  addStep(session, { by: `${name} + ${name}.granted - 2s`, trigger: { action, of: name, ifPossible: true } });

/** §2.3, §2.4: a valid request is accepted. */
export function authorize(session: Session, difference: JsonObject, more: { life: number; client: string }): void {
  const { life, client } = more;
  const sent = client === 'main' ? difference : { ...difference, client };
  const name = addStep(session, { authorize: sent, expect: { outcome: 'accepted', rule: acceptedRule } });
  session.requests.push({ name, difference, life, client, sentAt: session.now, state: 'pending' });
}

/** §1.2, §3: an approval of a pending request brings tokens, and takes the request from the phone. */
export function approve(session: Session, request: Request): void {
  decideInTime(session, 'approve', request);
  const { difference } = request;
  addStep(session, { await: 'callback', of: request.name, expect: completedEntries({ difference }) });
  request.state = 'completed';
  pass(session, 0, session.abilities.latency.callback);
  if (session.abilities.look)
    addStep(session, { look: 'card', of: request.name, expect: { rule: 'FLOW-016', equals: { 'card.shown': false } } });
}

/** §1.2, §7: a denial brings an error and no tokens. */
export function deny(session: Session, request: Request): void {
  decideInTime(session, 'deny', request);
  addStep(session, { await: 'callback', of: request.name, expect: { outcome: 'failed', rule: 'FLOW-003' } });
  request.state = 'denied';
  pass(session, 0, session.abilities.latency.callback);
}

const ruleOfState = { completed: 'FLOW-014', denied: 'FLOW-014', cancelled: 'CXL-002#final', 'timed-out': 'FLOW-012' };

/** §3: an ended request brings no more tokens, whatever the user does. */
export function decideAgain(session: Session, request: Request, action: 'approve' | 'deny'): void {
  if (request.state === 'pending') return;
  const until = `${decide(session, action, request)} + target.latency.callback + 5s`;
  addStep(session, {
    await: 'callback',
    of: request.name,
    until,
    expect: {
      // A result may be delivered twice (SEC-27); an invariant says that it is the same one.
      outcome: request.state === 'completed' ? 'no-error' : 'no-tokens',
      rule: ruleOfState[request.state],
    },
  });
  session.anchor = until;
  pass(session, session.abilities.latency.callback + 5);
}

/** §2.4, §3: an undecided request ends with an error callback. */
export function timeOut(session: Session, request: Request): void {
  const until = `${request.name} + ${request.name}.claims.expires_in + target.latency.callback + 60s`;
  addStep(session, { await: 'callback', of: request.name, until, expect: [...timedOut] });
  request.state = 'timed-out';
  pass(session, 0, session.abilities.latency.callback + surelyOver);
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
  // A carrier may answer with the auth_req_id of the first (C1.4), which is then approved to see what was dropped.
  if (request.state === 'pending') session.requests.splice(session.requests.indexOf(request), 1);
}

export const mayRepeat = (session: Session, { sentAt, difference }: Request): boolean =>
  sinceAtMost(session, sentAt) < 240 && !JSON.stringify(difference).includes('jti');

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
  const isNew = last === undefined || sinceAtLeast(session, last) > 75 * 60;
  const isDuplicate = last !== undefined && sinceAtMost(session, last) < 45 * 60;
  const { event: latency } = session.abilities.latency;
  session.movedAt = session.now;
  // It is open whether a dropped event restarts the window, so nothing is judged between 45 and 75 minutes.
  if (!isNew && !isDuplicate) return;
  const until = `${name} + target.latency.event + 5s`;
  const expect = isNew ? { outcome: 'delivered', rule: 'EVT-015' } : { outcome: 'silence', rule: 'EVT-018' };
  addStep(session, { await: 'events', event: 'device_change', until, expect });
  session.anchor = until;
  pass(session, latency + 5);
}

/** §1.3: consent that was removed and given again is consent. */
export function renewConsent(session: Session): void {
  const removed = addStep(session, { trigger: 'remove-consent' });
  addStep(session, { at: `${removed} + target.latency.event + target.latency.consent`, trigger: 'give-consent' });
  session.wait += 61;
  pass(session, 61, session.abilities.latency.event + 600);
}

/** §5.6: signatures from before a rotation stay valid, and so do pending requests. */
export function rotateKeys(session: Session): void {
  addStep(session, { trigger: 'rotate-keys' });
}

/** §5.1: a deviation is refused in every state. */
export function deviate(session: Session, { difference, ...said }: Deviation): void {
  addStep(session, { authorize: difference, expect: expectationOf(said) });
}
