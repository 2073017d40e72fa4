export type CarrierKeyKind = 'rsa-2048' | 'rsa-3072' | 'ps256' | 'es256' | 'es384';

/** Numbers and switches that the interface states as limits or leaves to the carrier; in seconds unless noted. */
export type Policy = Readonly<typeof strictLimits> & PolicyChoices;

/** Choices that the interface leaves open. */
interface PolicyChoices {
  /** §2.1: handling of conflicting values outside the request object. */
  readonly outside: 'ignore' | 'refuse';
  /** §2.4: the material shows expires_in both as a number and as a string of digits. */
  readonly grantedAs: 'number' | 'digits';
  /** Default of acr_values (§2.3). */
  readonly defaultAcr: 'a1' | 'a3';
  /** Format of the proof of possession, which §5.8 leaves open. */
  readonly proofFormat: 'taap' | 'jwt' | 'dpop' | 'any';
  /** Error code and status of refusals that differ, by check or reader (§2.5 and §7 name few). */
  readonly refusals: Readonly<Record<string, { readonly error?: string; readonly status?: number }>>;
  /** Kind of the carrier's signing keys (§5.8). */
  readonly carrierKey: CarrierKeyKind;
  /** Form of access tokens; §2.6 does not show their contents. */
  readonly accessTokens: 'jwt' | 'short' | 'long' | 'symbols';
  /** §5.6: events are signed with the keys of jwks_uri, or with keys published elsewhere. */
  readonly eventKeys: 'shared' | 'own';
  /** §2.11: an unknown attribute is left out, or null. */
  readonly unknownAttributes: 'absent' | 'null';
  /** Accepted audience of a client assertion (§4.3). */
  readonly assertionAudience: 'token-endpoint' | 'issuer' | 'any';
}

const strictLimits = {
  /** §8: maximum age of a request object. */
  iatMaxAge: 300,
  iatMaxAhead: 60,
  /** §8: maximum distance of exp from now. */
  expMaxAhead: 300,
  expLeeway: 0,
  notBeforeLeeway: 0,
  /** §8: a jti is remembered this long. */
  jtiWindow: 300,
  /** §2.3 expires_in: 48 hours. */
  maxExpiresIn: 172_800,
  /** §2.3: a carrier may grant a shorter life. */
  maxGrant: 172_800,
  /** Length of context in code points (§2.3). */
  contextMin: 8,
  contextMax: 240,
  correlationIdMax: 128,
  notificationTokenMax: 1024,
  /** Maximum length of a claim's JSON text, in characters. */
  claimMax: 32_768,
  /** Maximum size of a body, in bytes. */
  bodyMax: 262_144,
  /** Maximum number of bodies read at once. */
  bodiesAtOnce: 1000,
  /** §2.3 sub: a carrier may ignore it. */
  subRequired: true,
  /** §2.1: form encoding is "not currently supported". */
  formAccepted: false,
  /** §8: how long an authentication is reused; loginReuse is for prompt login. */
  authenticationReuse: 1800,
  loginReuse: 60,
  /** §2.6: life of an access token. */
  tokenLife: 1800,
  callbackScheme: 'Bearer',
  callbackDeadline: 30,
  callbackRetries: 0,
  callbackRetryAfter: 60,
  /** From the trigger to the first delivery attempt. */
  deliveryDelay: 0,
  /** Additional delay of a callback, and of an event. */
  callbackDelay: 0,
  eventDelay: 0,
  /** CIBA Core §10.3.1: the receiver's certificate is checked, and redirects are not followed. */
  receiverCertificateChecked: true,
  receiverRedirectsFollowed: 0,
  /** §6: retries of an event, and the seconds between attempts. */
  eventRetries: 3,
  eventRetryAfter: 60,
  eventDeadline: 10,
  /** §6: a duplicate within this window is dropped. */
  eventDuplicateWindow: 3600,
  /** §2.8: a SIM in use for less than this is new. */
  simTenureWindow: 86_400,
  /** §2.11: how long the carrier needs to see a SIM swap; above an hour sim_tenure_24 falls to level 1. */
  simSwapLag: 0,
  proofLife: 120,
  proofLeeway: 10,
  proofWindow: 300,
  /** Maximum life of a client assertion; life of an authorization code and of a login_hint_token. */
  assertionLife: 86_400,
  codeLife: 600,
  hintTokenLife: 600,
  /** Maximum pending requests per client and subscriber. */
  maxPending: 99,
  /** Status of the discovery response for an unknown client or carrier code. */
  discoveryErrorStatus: 200,
  /** Error codes by cause (§7). */
  deniedError: 'request_denied',
  timedOutError: 'authentication_timed_out',
  goneError: 'server_error',
  unknownHintError: 'access_denied',
  foreignHintError: 'access_denied',
  unenrolledError: 'access_denied',
  unconsentedError: 'access_denied',
  /** Scopes of attributes that the carrier does not have, separated by spaces (§2.3, §2.11). */
  withoutAttributes: '',
  /** §2.2: kid of the carrier's first key; empty: a default kid. */
  carrierKid: '',
  /** §2.3: maximum length of state and of nonce, in characters. */
  stateMax: 32_768,
  /** From the removal of a consent to its effect; the interface states no time. */
  consentLag: 0,
  /** §2.6: the user can approve single scopes; false: all or none. */
  partialApproval: true,
};

/** The policy of the conforming carrier, at the strictest interpretation of each rule. */
export const strictPolicy: Policy = {
  ...strictLimits,
  outside: 'ignore',
  grantedAs: 'number',
  defaultAcr: 'a3',
  proofFormat: 'taap',
  refusals: {},
  carrierKey: 'rsa-2048',
  accessTokens: 'jwt',
  eventKeys: 'shared',
  unknownAttributes: 'absent',
  assertionAudience: 'token-endpoint',
};
