import type { AllowedLimit } from '../../model/allowed-limit.ts';

const secondsPerMinute = 60;
const secondsPerHour = 60 * secondsPerMinute;

/** §2.3 and §5 say "generally": a carrier with another limit gets a warning. */
const recommendedWindow = { unit: 's', level: 'recommended' } as const;
/** P6: in real time a window is judged with a margin of 30 seconds, for clocks that differ. */
const clockTolerance = { tolerance: 30 } as const;
const statedLimit = { level: 'required' } as const;
/** The interface names no value: a carrier may have any limit. */
const unstatedLimit = { level: 'informational' } as const;

/** Interface's range for each limit in suites/limits.yaml. */
export const allowedLimits: Readonly<Record<string, AllowedLimit>> = {
  context: {
    ...statedLimit,
    from: 240,
    to: 240,
    unit: 'characters',
    clause: '2.3 context, 7, 8',
    words: 'context has 240 characters at most; a longer one is refused',
  },
  'context-least': {
    ...statedLimit,
    from: 8,
    to: 8,
    smallest: true,
    unit: 'characters',
    clause: '2.3 context, 7, 8',
    words: 'context has 8 characters at least; a shorter one is refused',
  },
  'context-2-bytes-each': {
    ...statedLimit,
    to: 240,
    unit: 'characters',
    clause: '2.3 context, 8',
    words: 'context has 240 characters at most; of characters outside the pattern fewer may be accepted, or none',
  },
  'correlation-id': {
    ...statedLimit,
    from: 128,
    unit: 'characters',
    clause: '2.3 correlation_id, 8',
    words: 'a correlation_id of up to 128 characters is accepted; for a longer one no outcome is stated',
  },
  state: {
    ...unstatedLimit,
    unit: 'characters',
    clause: '2.3 state',
    words: 'state comes back unchanged; no length is stated',
  },
  'state-2-bytes-each': {
    ...unstatedLimit,
    unit: 'characters',
    clause: '2.3 state',
    words: 'state comes back unchanged; no length is stated',
  },
  'notification-token': {
    ...statedLimit,
    from: 1024,
    unit: 'characters',
    clause: '2.3 client_notification_token, 4.2, 5.3',
    words: 'a client_notification_token of 22 to 1024 characters is accepted (C1.10); of longer ones nothing is stated',
  },
  kid: {
    ...unstatedLimit,
    unit: 'characters',
    clause: '2.2 kid, 8',
    words:
      'a kid has 1 to 36 characters, and some carriers skip its validation: the response to an unknown kid is open',
  },
  'iat-age': {
    ...recommendedWindow,
    ...clockTolerance,
    from: 5 * secondsPerMinute,
    to: 5 * secondsPerMinute,
    clause: '2.3 iat, 5.1, 8',
    words:
      'a request object is generally fresh for 5 minutes from its iat, and refused after that; clocks may differ by some seconds',
  },
  'iat-ahead': {
    ...unstatedLimit,
    unit: 's',
    clause: '2.3 iat',
    words: 'how far iat may be ahead of the time of the carrier is not stated',
  },
  'exp-ahead': {
    ...recommendedWindow,
    ...clockTolerance,
    from: 5 * secondsPerMinute,
    to: 5 * secondsPerMinute,
    clause: '2.3 exp, 5.1, 8',
    words:
      'an exp is generally taken up to 5 minutes ahead, and refused further ahead; clocks may differ by some seconds',
  },
  'expires-in': {
    ...recommendedWindow,
    from: 48 * secondsPerHour,
    clause: '2.3 expires_in, 7, 8',
    words: 'an expires_in of up to 48 hours is accepted; a greater one may be refused, dropped or cut short',
  },
  pending: {
    ...unstatedLimit,
    unit: 'requests',
    clause: '3',
    words: 'how many requests may wait for one subscriber is not stated',
  },
  'jti-window': {
    ...recommendedWindow,
    from: 5 * secondsPerMinute,
    clause: '2.3 jti, 5.1, 8',
    words: 'a used jti should be refused for 5 minutes; after that its outcome is open',
  },
  'event-deduplication': {
    ...statedLimit,
    from: 60 * secondsPerMinute,
    to: 60 * secondsPerMinute,
    unit: 's',
    clause: '6 device_change 3, 8',
    words: 'a second event of the same subscriber and SP is dropped for 60 minutes, and sent after that',
  },
};

/** Allowed range of a measured limit; undefined for an unknown limit. */
export const findAllowedLimit = (limit: string): AllowedLimit | undefined =>
  Object.hasOwn(allowedLimits, limit) ? allowedLimits[limit] : undefined;
