import type { JsonObject } from '../../lib/json.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import { completedExpectations, profileSteps, timeOutExpectations } from '../requests/accepted-steps.ts';
import { acceptedRule } from '../requests/request-parts.ts';
import { outcomeExpectation, type RequestPoint } from '../requests/request-points.ts';

/** A request that every conforming carrier refuses. */
export type Deviation = Pick<RequestPoint, 'difference' | 'rule' | 'outcome' | 'error'>;

/** Seconds since the start of a session, as a range, because a carrier may take its time. */
interface TimeRange {
  readonly least: number;
  readonly most: number;
}

/** Request of a session, as the model knows it (§3). */
export interface SessionRequest {
  readonly name: string;
  readonly difference: JsonObject;
  /** Requested life, in seconds. */
  readonly life: number;
  readonly sentAt: TimeRange;
  readonly client: string;
  state: 'pending' | 'completed' | 'denied' | 'cancelled' | 'timed-out';
}

/** Knowledge of a conforming carrier after the commands so far, and the steps that show it. */
export interface ModelSession {
  readonly abilities: TargetAbilities;
  readonly requests: SessionRequest[];
  readonly steps: JsonObject[];
  now: TimeRange;
  /** Wait before the next step, in seconds, and the step it counts from. */
  wait: number;
  anchor: string | undefined;
  /** Last change of device, and whether the SP had subscribed to events then. */
  moved: TimeRange | undefined;
  /** Last device change whose event was surely sent: what follows is a duplicate of this one. */
  reported: TimeRange | undefined;
  swappedAt: TimeRange | undefined;
  /** Flags of the SP that are switched off. */
  readonly off: Set<SessionFlag>;
}

export const sessionFlags = ['server_initiated', 'usertraits_enabled', 'event_subscription'] as const;
type SessionFlag = (typeof sessionFlags)[number];

export const openSession = (abilities: TargetAbilities): ModelSession => ({
  abilities,
  requests: [],
  steps: [],
  now: { least: 0, most: 0 },
  wait: 0,
  anchor: undefined,
  moved: undefined,
  reported: undefined,
  swappedAt: undefined,
  off: new Set(),
});

/** Adds a step and returns its name; a wait before it becomes its moment. */
function addSessionStep(session: ModelSession, step: JsonObject): string {
  const name = `s${session.steps.length + 1}`;
  const waits = session.wait > 0 && session.anchor !== undefined;
  session.steps.push({ as: name, ...(waits ? { at: `${session.anchor} + ${session.wait}s` } : {}), ...step });
  session.wait = 0;
  session.anchor = name;
  return name;
}

/** Seconds for which a request is surely pending: a carrier may grant less than was asked, and two minutes are usual. */
const surePendingSeconds = 100;
/** Seconds after which a time-out has surely come. */
const sureTimeOutSeconds = 60;

/** Lets at least `seconds` pass, and at most `upTo`. */
export function advanceSession(session: ModelSession, seconds: number, upTo: number = seconds): void {
  const { least, most } = session.now;
  session.now = { least: least + seconds, most: most + upTo };
}

const maxSecondsSince = ({ now }: ModelSession, { least }: TimeRange): number => now.most - least;
const minSecondsSince = ({ now }: ModelSession, { most }: TimeRange): number => now.least - most;

export const isSurelyOpen = (session: ModelSession, { state, life, sentAt }: SessionRequest): boolean =>
  state === 'pending' && maxSecondsSince(session, sentAt) < Math.min(life, surePendingSeconds) - 15;

export const isSurelyOver = (session: ModelSession, { state, life, sentAt }: SessionRequest): boolean =>
  state === 'pending' && minSecondsSince(session, sentAt) > life + sureTimeOutSeconds;

const addDecision = (session: ModelSession, action: string, { name }: SessionRequest): string =>
  addSessionStep(session, { trigger: { action, of: name, ifPossible: true } });

/** Decides while the request is surely pending; a late decision is not judged. */
const addTimelyDecision = (session: ModelSession, action: string, { name }: SessionRequest): string =>
  addSessionStep(session, { by: `${name} + ${name}.granted - 2s`, trigger: { action, of: name, ifPossible: true } });

/** §2.3, §2.4, §2.12: a valid request is accepted, unless the SP has no access. */
export function addValidRequest(
  session: ModelSession,
  difference: JsonObject,
  more: { life: number; client: string },
): void {
  const { life, client } = more;
  const sent = client === 'main' ? difference : { ...difference, client };
  if (client === 'main' && session.off.has('server_initiated')) {
    addSessionStep(session, { authorize: sent, expect: { outcome: 'denied', rule: 'CFG-001' } });
    return;
  }
  const name = addSessionStep(session, { authorize: sent, expect: { outcome: 'accepted', rule: acceptedRule } });
  session.requests.push({ name, difference, life, client, sentAt: session.now, state: 'pending' });
}

/** §1.2, §3: an approval of a pending request brings tokens, and takes the request from the phone. */
export function addApproval(session: ModelSession, request: SessionRequest): void {
  addTimelyDecision(session, 'approve', request);
  const { difference } = request;
  const expect = completedExpectations({ difference });
  const result = addSessionStep(session, { await: 'callback', of: request.name, expect });
  request.state = 'completed';
  advanceSession(session, 0, session.abilities.latency.callback);
  const { abilities } = session;
  for (const step of profileSteps({ difference, result, abilities })) addSessionStep(session, step);
  if (session.abilities.look)
    addSessionStep(session, {
      look: 'card',
      of: request.name,
      expect: { rule: 'FLOW-016', equals: { 'card.shown': false } },
    });
}

/** §1.2, §7: a denial brings an error and no tokens. */
export function addDenial(session: ModelSession, request: SessionRequest): void {
  addTimelyDecision(session, 'deny', request);
  addSessionStep(session, { await: 'callback', of: request.name, expect: { outcome: 'failed', rule: 'FLOW-003' } });
  request.state = 'denied';
  advanceSession(session, 0, session.abilities.latency.callback);
}

const finalStateRules = {
  completed: 'FLOW-014',
  denied: 'FLOW-014',
  cancelled: 'CXL-002#final',
  'timed-out': 'FLOW-012',
};

/** §3: an ended request brings no more tokens, whatever the user does. */
export function addLateDecision(session: ModelSession, request: SessionRequest, action: 'approve' | 'deny'): void {
  if (request.state === 'pending') return;
  const until = `${addDecision(session, action, request)} + target.latency.callback + 5s`;
  addSessionStep(session, {
    await: 'callback',
    of: request.name,
    until,
    expect: {
      // A result may be delivered twice (SEC-27); an invariant says that it is the same one.
      outcome: request.state === 'completed' ? 'no-error' : 'no-tokens',
      rule: finalStateRules[request.state],
    },
  });
  session.anchor = until;
  advanceSession(session, session.abilities.latency.callback + 5);
}

/** §2.4, §3: an undecided request ends with an error callback. */
export function addTimeOut(session: ModelSession, request: SessionRequest): void {
  const until = `${request.name} + ${request.name}.claims.expires_in + target.latency.callback + 60s`;
  addSessionStep(session, { await: 'callback', of: request.name, until, expect: [...timeOutExpectations] });
  request.state = 'timed-out';
  advanceSession(session, 0, session.abilities.latency.callback + sureTimeOutSeconds);
}

/** §2.3 jti: within 5 minutes neither the same object nor its jti is accepted again. */
export function addRepetition(session: ModelSession, request: SessionRequest, how: 'object' | 'jti'): void {
  const jti = { claims: { jti: `{{ ${request.name}.claims.jti }}` } };
  addSessionStep(session, {
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

export const isRepeatable = (session: ModelSession, { sentAt, difference }: SessionRequest): boolean =>
  maxSecondsSince(session, sentAt) < 240 && !JSON.stringify(difference).includes('jti');

/** §4.4: a cancelled request brings no tokens. */
export function addCancellation(session: ModelSession, request: SessionRequest): void {
  const assertion = addSessionStep(session, { sign: { base: 'client-assertion' } });
  addSessionStep(session, {
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

/** §6: a device change is reported once within 60 minutes, to an SP that has subscribed. */
export function addDeviceChange(session: ModelSession, action: 'move-sim' | 'swap-sim'): void {
  const name = addSessionStep(session, { trigger: action });
  const { moved, reported } = session;
  const told = !session.off.has('event_subscription');
  const isNew = moved === undefined || minSecondsSince(session, moved) > 75 * 60;
  const isDuplicate = reported !== undefined && maxSecondsSince(session, reported) < 45 * 60;
  session.moved = session.now;
  if (told && isNew) session.reported = session.now;
  if (action === 'swap-sim') session.swappedAt = session.now;
  const until = `${name} + target.latency.event + 5s`;
  const expect = !told
    ? { outcome: 'silence', rule: 'EVT-006' }
    : isNew
      ? { outcome: 'delivered', rule: 'EVT-015' }
      : { outcome: 'silence', rule: 'EVT-018' };
  // It is open whether a dropped event restarts the window, so an event that comes between 45 and 75 minutes is not judged.
  const judged = !told || isNew || isDuplicate ? { expect } : { control: false };
  addSessionStep(session, { await: 'events', event: 'device_change', until, ...judged });
  session.anchor = until;
  advanceSession(session, session.abilities.latency.event + 5);
}

/** §1.5, §2.8: a SIM is new for 24 hours; an SP without the flag learns nothing. */
export function addTenureQuery(session: ModelSession): void {
  const { swappedAt, abilities } = session;
  const isKnown = swappedAt !== undefined && minSecondsSince(session, swappedAt) > abilities.latency.simSwap + 60;
  const isNew = isKnown && maxSecondsSince(session, swappedAt) < 23.5 * 3600;
  const isOld = isKnown && minSecondsSince(session, swappedAt) > 24.5 * 3600;
  const expect = session.off.has('usertraits_enabled')
    ? { outcome: 'denied', rule: 'UT-004', check: 'no-tenure' }
    : isNew
      ? { rule: 'UT-017', check: 'tenure-true' }
      : isOld
        ? { rule: 'UT-017', check: 'tenure-false' }
        : { outcome: 'accepted', rule: 'UT-005' };
  addSessionStep(session, { usertrait: {}, expect });
}

/** §2.12: a flag counts from when it is set. A request that waits while its flag is off may end in several ways. */
export function addFlagChange(session: ModelSession, flag: SessionFlag): void {
  if (session.requests.some(({ state }) => state === 'pending')) return;
  const on = session.off.delete(flag);
  if (!on) session.off.add(flag);
  addSessionStep(session, { trigger: { action: 'set-flag', with: { flag, on } } });
}

/** §1.3: consent that was removed and given again is consent. */
export function addConsentRenewal(session: ModelSession): void {
  const removed = addSessionStep(session, { trigger: 'remove-consent' });
  addSessionStep(session, {
    at: `${removed} + target.latency.event + target.latency.consent`,
    trigger: 'give-consent',
  });
  session.wait += 61;
  advanceSession(session, 61, session.abilities.latency.event + 600);
}

/** §5.6: signatures from before a rotation stay valid, and so do pending requests. */
export function addKeyRotation(session: ModelSession): void {
  addSessionStep(session, { trigger: 'rotate-keys' });
}

/** §5.1: a deviation is refused in every state. */
export function addDeviation(session: ModelSession, { difference, ...said }: Deviation): void {
  // Without access, another reason may be named first.
  if (session.off.has('server_initiated')) return;
  addSessionStep(session, { authorize: difference, expect: outcomeExpectation(said) });
}
