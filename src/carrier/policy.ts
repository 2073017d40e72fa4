/** Every number and switch the interface leaves to a carrier, or states as a limit. Seconds unless said. */
export interface Policy {
  /** §8: age of a request object. */
  readonly iatMaxAge: number;
  readonly iatMaxAhead: number;
  /** §8: exp ahead of now. */
  readonly expMaxAhead: number;
  readonly expLeeway: number;
  readonly notBeforeLeeway: number;
  /** §8: a jti is remembered this long. */
  readonly jtiWindow: number;
  /** §2.3 expires_in: 48 hours. */
  readonly maxExpiresIn: number;
  /** §2.3: a carrier may grant a shorter life. */
  readonly maxGrant: number;
  /** §2.3 context, code points of the decoded form. */
  readonly contextMin: number;
  readonly contextMax: number;
  readonly correlationIdMax: number;
  readonly notificationTokenMax: number;
  /** Characters of JSON text a single claim may take. */
  readonly claimMax: number;
  /** Bytes of a body. */
  readonly bodyMax: number;
  /** §2.3 sub: a carrier may ignore it. */
  readonly subRequired: boolean;
  /** §2.1: form encoding is "not currently supported". */
  readonly formAccepted: boolean;
  /** §2.1: what becomes of conflicting values outside the request object. */
  readonly outside: 'ignore' | 'refuse';
  /** §2.4: the material shows expires_in as a number and as digits in a string. */
  readonly grantedAs: 'number' | 'digits';
  /** §2.3 acr_values, where none is asked for. */
  readonly defaultAcr: 'a1' | 'a3';
  /** §8: an authentication is reused this long, and this long even for prompt login. */
  readonly authenticationReuse: number;
  readonly loginReuse: number;
  /** §2.6: life of an access token. */
  readonly tokenLife: number;
  readonly callbackScheme: string;
  readonly callbackDeadline: number;
  readonly callbackRetries: number;
  readonly callbackRetryAfter: number;
  /** Between what happened and the first attempt to tell of it. */
  readonly deliveryDelay: number;
  /** A receiver is trusted by its certificate, and never leads elsewhere (CIBA Core §10.3.1). */
  readonly receiverCertificateChecked: boolean;
  readonly receiverRedirectsFollowed: number;
  /** §6: further attempts for an event, and the seconds from one to the next. */
  readonly eventRetries: number;
  readonly eventRetryAfter: number;
  readonly eventDeadline: number;
  /** §6: a duplicate generated within this is dropped. */
  readonly eventDuplicateWindow: number;
  /** §2.8: a SIM in use for less than this is new. */
  readonly simTenureWindow: number;
  /** §2.11: how long the carrier needs to see a SIM swap; above an hour sim_tenure_24 falls to level 1. */
  readonly simSwapLag: number;
  /** §5.8 leaves the proof of possession open. */
  readonly proofFormat: 'taap' | 'jwt' | 'dpop' | 'any';
  readonly proofLife: number;
  readonly proofLeeway: number;
  readonly proofWindow: number;
  /** Life of a client assertion, of an authorization code and of a login_hint_token. */
  readonly assertionLife: number;
  readonly codeLife: number;
  readonly hintTokenLife: number;
  /** Requests one client may have pending for one subscriber. */
  readonly maxPending: number;
  /** Status of the discovery answer for an unknown client or carrier code. */
  readonly discoveryErrorStatus: number;
  /** Error codes, by what happened (§7). */
  readonly deniedError: string;
  readonly timedOutError: string;
  readonly goneError: string;
  readonly unknownHintError: string;
  readonly foreignHintError: string;
  readonly unenrolledError: string;
  readonly unconsentedError: string;
}

/** The conforming carrier, at the strictest reading of each rule. */
export const strictPolicy: Policy = {
  iatMaxAge: 300,
  iatMaxAhead: 60,
  expMaxAhead: 300,
  expLeeway: 0,
  notBeforeLeeway: 0,
  jtiWindow: 300,
  maxExpiresIn: 172_800,
  maxGrant: 172_800,
  contextMin: 8,
  contextMax: 240,
  correlationIdMax: 128,
  notificationTokenMax: 1024,
  claimMax: 32_768,
  bodyMax: 262_144,
  subRequired: true,
  formAccepted: false,
  outside: 'ignore',
  grantedAs: 'number',
  defaultAcr: 'a3',
  authenticationReuse: 1800,
  loginReuse: 60,
  tokenLife: 1800,
  callbackScheme: 'Bearer',
  callbackDeadline: 30,
  callbackRetries: 0,
  callbackRetryAfter: 60,
  deliveryDelay: 0,
  receiverCertificateChecked: true,
  receiverRedirectsFollowed: 0,
  eventRetries: 3,
  eventRetryAfter: 60,
  eventDeadline: 10,
  eventDuplicateWindow: 3600,
  simTenureWindow: 86_400,
  simSwapLag: 0,
  proofFormat: 'taap',
  proofLife: 120,
  proofLeeway: 10,
  proofWindow: 300,
  assertionLife: 86_400,
  codeLife: 600,
  hintTokenLife: 600,
  maxPending: 99,
  discoveryErrorStatus: 200,
  deniedError: 'request_denied',
  timedOutError: 'authentication_timed_out',
  goneError: 'server_error',
  unknownHintError: 'access_denied',
  foreignHintError: 'access_denied',
  unenrolledError: 'access_denied',
  unconsentedError: 'access_denied',
};
