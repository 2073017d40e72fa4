import {
  type CheckMismatch,
  comparisonCase,
  defineRunCheck,
  defineSequenceCheck,
  type NamedCheck,
  type RunCheck,
} from '../../../../judge/check.ts';
import { verifyWithAny } from '../../../../judge/compact-jws.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { memberOf, textMemberOf } from '../../../../lib/json.ts';
import { openSignedTokens, type TokenJudge } from '../published-keys.ts';
import { changeIn, namesOf } from './event.ts';

/** Seconds within which all attempts of one event come; the next event for the subscriber is an hour away. */
const attemptsLast = 1800;

const about = (event: EventObservation): string =>
  JSON.stringify([event.client ?? null, memberOf(event.set, 'sub') ?? null, namesOf(event)]);

const isOneEvent = (one: EventObservation, other: EventObservation): boolean =>
  about(one) === about(other) && Math.abs(one.receivedAt - other.receivedAt) <= attemptsLast;

/** Check of every SET by all keys that were published for events during the run. */
const defineSignatureCheck = (name: string, judge: TokenJudge<EventObservation>): RunCheck =>
  defineRunCheck(name, () => {
    const tokens = openSignedTokens('event_jwks', judge);
    return {
      observe: (message) => {
        const event = changeIn(message);
        tokens.observe(message, event?.jws === undefined ? undefined : event);
      },
      lacks: tokens.lacks,
      conclude: tokens.conclude,
    };
  });

const unsigned = ({ setHeader }: EventObservation): boolean => {
  const alg = memberOf(setHeader, 'alg');
  return typeof alg !== 'string' || alg === 'none';
};

const notVerified = ({ setHeader }: EventObservation): CheckMismatch => ({
  path: 'jws',
  expected: 'a signature that a key at jwks_uri verifies',
  actual: `alg ${JSON.stringify(memberOf(setHeader, 'alg') ?? null)}, not verified`,
});

export const eventRunChecks: readonly NamedCheck[] = [
  /** §6: jti is unique to an event; attempts of one event may share it. */
  defineSequenceCheck('event-jtis-differ', () => {
    const firsts = new Map<string, { readonly event: EventObservation; readonly seenIn: string }>();
    return (message) => {
      const event = changeIn(message);
      const jti = textMemberOf(event?.set, 'jti');
      if (event === undefined || jti === undefined) return undefined;
      const first = firsts.get(jti) ?? { event, seenIn: message.seenIn };
      firsts.set(jti, first);
      if (first.event === event || isOneEvent(first.event, event)) return [];
      const expected = 'a jti that no other event has';
      return [{ path: 'set.jti', expected, actual: jti, ...comparisonCase(first, message) }];
    };
  }),

  /** §5.6: the kid of a SET is one of jwks_uri. The presence of a kid is judged for each event alone. */
  defineSignatureCheck('event-kid-is-published', {
    anyway: () => undefined,
    by: ({ setHeader }, keys) => {
      const kid = memberOf(setHeader, 'kid');
      if (typeof kid !== 'string' || keys.some((key) => key['kid'] === kid)) return undefined;
      return { path: 'setHeader.kid', expected: 'the kid of a key at jwks_uri', actual: kid };
    },
  }),

  /** §5.6: the key that its kid names verifies it, or any key if it names none. */
  defineSignatureCheck('event-signature-verifies', {
    anyway: (event) => (unsigned(event) ? notVerified(event) : undefined),
    by: (event, keys) => {
      const { jws = '', setHeader } = event;
      const kid = memberOf(setHeader, 'kid') ?? null;
      const tried = kid === null ? keys : keys.filter((key) => key['kid'] === kid);
      return verifyWithAny(jws, tried) ? undefined : notVerified(event);
    },
  }),
];
