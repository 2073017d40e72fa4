import type { Policy } from '../policy.ts';
import { defineFault, type Fault, withPolicy } from './edit/define.ts';

type Beside = readonly [
  name: string,
  says: string,
  breaks: readonly string[],
  values: Partial<Policy>,
  blinds?: readonly string[],
];

/** A number on the wrong side of its boundary, one a line (§8). */
const beside: readonly Beside[] = [
  ['iat-window-6-minutes', 'A request object may be 6 minutes old.', ['REQ-009'], { iatMaxAge: 360 }],
  ['iat-90-seconds-ahead', 'A request object may be signed two minutes ahead.', ['SEC-15'], { iatMaxAhead: 120 }],
  ['exp-window-6-minutes', 'exp may be 6 minutes ahead.', ['REQ-012'], { expMaxAhead: 360 }],
  ['exp-window-4-minutes', 'exp may be 4 minutes ahead only.', ['REQ-012'], { expMaxAhead: 240 }],
  ['exp-leeway-2-minutes', 'A request object is taken for two minutes after its exp.', ['SEC-14'], { expLeeway: 120 }],
  [
    'nbf-leeway-2-minutes',
    'A request object is taken two minutes before its nbf.',
    ['SEC-14'],
    { notBeforeLeeway: 120 },
  ],
  ['jti-kept-4-minutes', 'A jti is forgotten after 4 minutes.', ['REQ-015'], { jtiWindow: 240 }],
  [
    'context-limit-200',
    'context may have 200 characters only.',
    ['REQ-073'],
    { contextMax: 200 },
    ['REQ-074', 'REQ-077', 'REQ-079'],
  ],
  [
    'context-limit-239',
    'context must have fewer than 240 characters.',
    ['REQ-073'],
    { contextMax: 239 },
    ['REQ-074', 'REQ-077', 'REQ-079'],
  ],
  ['context-limit-241', 'context may have 241 characters.', ['REQ-074', 'REQ-077'], { contextMax: 241 }, ['ERR-003']],
  [
    'context-min-9',
    'context must have more than 8 characters.',
    ['REQ-073'],
    { contextMin: 9 },
    ['REQ-075', 'REQ-078'],
  ],
  ['context-min-7', 'context may have 7 characters.', ['REQ-075'], { contextMin: 7 }],
  [
    'correlation-id-limit-127',
    'correlation_id must have fewer than 128 characters.',
    ['TRN-014', 'REQ-082', 'UT-012'],
    { correlationIdMax: 127 },
    ['CB-008', 'CB-010', 'FLOW-002'],
  ],
  [
    'correlation-id-limit-36',
    'correlation_id has room for a UUID only.',
    ['TRN-014', 'REQ-082', 'UT-012'],
    { correlationIdMax: 36 },
    ['CB-008', 'CB-010', 'FLOW-002'],
  ],
  [
    'notification-token-limit-1023',
    'client_notification_token must have fewer than 1024 characters.',
    ['CB-004', 'SEC-29'],
    { notificationTokenMax: 1023 },
    ['FLOW-002', 'FLOW-003'],
  ],
  [
    'notification-token-limit-255',
    'client_notification_token has room for 255 characters only.',
    ['CB-004', 'SEC-29'],
    { notificationTokenMax: 255 },
    ['FLOW-002', 'FLOW-003'],
  ],
  [
    'notification-token-limit-2048',
    'client_notification_token may have 2048 characters.',
    ['SEC-29'],
    { notificationTokenMax: 2048 },
  ],
  ['event-retried-twice', 'An event is retried twice.', ['EVT-013'], { eventRetries: 2 }],
  ['event-retried-after-40-seconds', 'Retries are 40 seconds apart.', ['EVT-014'], { eventRetryAfter: 40 }],
  ['event-retried-after-80-seconds', 'Retries are 80 seconds apart.', ['EVT-014'], { eventRetryAfter: 80 }],
  ['tenure-window-23-hours', 'A SIM is new for 23 hours.', ['UT-017'], { simTenureWindow: 82_800 }],
  ['tenure-window-25-hours', 'A SIM is new for 25 hours.', ['UT-017'], { simTenureWindow: 90_000 }],
  [
    'authentication-reused-for-an-hour',
    'An authentication is reused for an hour.',
    ['REQ-057'],
    { authenticationReuse: 3600 },
  ],
  [
    'login-reused-for-2-minutes',
    'prompt login passes by itself within two minutes.',
    ['REQ-047', 'REQ-049'],
    { loginReuse: 130 },
  ],
  ['proof-life-4-minutes', 'A proof may live for four minutes.', ['SEC-42'], { proofLife: 240, proofWindow: 400 }],
  ['proof-leeway-1-minute', 'A proof is taken for a minute after its exp.', ['SEC-42'], { proofLeeway: 60 }],
  ['pending-limit-100', 'A hundred pushes may wait for one user.', ['SEC-46'], { maxPending: 100 }],
];

export const boundaryFaults: readonly Fault[] = beside.map(([name, says, breaks, values, blinds = []]) =>
  defineFault({ name, says, breaks, blinds, apply: withPolicy(values) }),
);
