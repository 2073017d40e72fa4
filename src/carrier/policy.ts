export type KeyKind = 'rsa-2048' | 'rsa-3072' | 'ps256' | 'es256' | 'es384';

/** Every number and switch the interface leaves to a carrier, or states as a limit. Seconds unless said. */
export type Policy = Readonly<typeof limits> & Choices;

/** Where the interface leaves some ways open. */
interface Choices {
  /** §2.1: what becomes of conflicting values outside the request object. */
  readonly outside: 'ignore' | 'refuse';
  /** §2.4: the material shows expires_in as a number and as digits in a string. */
  readonly grantedAs: 'number' | 'digits';
  /** §2.3 acr_values, where the request has none. */
  readonly defaultAcr: 'a1' | 'a3';
  /** §5.8 leaves the proof of possession open. */
  readonly proofFormat: 'taap' | 'jwt' | 'dpop' | 'any';
  /** Other codes and statuses of refusals, by the name of the check or reader (§2.5, §7: few are named). */
  readonly refusals: Readonly<Record<string, { readonly error?: string; readonly status?: number }>>;
  /** §5.8: what the carrier signs with. */
  readonly carrierKey: KeyKind;
  /** §2.6: contents of the access token are not shown. */
  readonly accessTokens: 'jwt' | 'short' | 'long' | 'symbols';
  /** §5.6: events are signed with the keys of jwks_uri, or with others, which are published elsewhere. */
  readonly eventKeys: 'shared' | 'own';
  /** §2.11: an attribute that is not known is left out, or null. */
  readonly unknownAttributes: 'absent' | 'null';
  /** §4.3: what a client assertion may be made for. */
  readonly assertionAudience: 'token-endpoint' | 'issuer' | 'any';
}

const limits = {
  /** §8: age of a request object. */
  iatMaxAge: 300,
  iatMaxAhead: 60,
  /** §8: exp ahead of now. */
  expMaxAhead: 300,
  expLeeway: 0,
  notBeforeLeeway: 0,
  /** §8: a jti is remembered this long. */
  jtiWindow: 300,
  /** §2.3 expires_in: 48 hours. */
  maxExpiresIn: 172_800,
  /** §2.3: a carrier may grant a shorter life. */
  maxGrant: 172_800,
  /** §2.3 context, code points of the decoded form. */
  contextMin: 8,
  contextMax: 240,
  correlationIdMax: 128,
  notificationTokenMax: 1024,
  /** Characters of JSON text a single claim may take. */
  claimMax: 32_768,
  /** Bytes of a body. */
  bodyMax: 262_144,
  /** Bodies that are read at the same time. */
  bodiesAtOnce: 1000,
  /** §2.3 sub: a carrier may ignore it. */
  subRequired: true,
  /** §2.1: form encoding is "not currently supported". */
  formAccepted: false,
  /** §8: an authentication is reused this long, and this long even for prompt login. */
  authenticationReuse: 1800,
  loginReuse: 60,
  /** §2.6: life of an access token. */
  tokenLife: 1800,
  callbackScheme: 'Bearer',
  callbackDeadline: 30,
  callbackRetries: 0,
  callbackRetryAfter: 60,
  /** Between what happened and the first delivery attempt. */
  deliveryDelay: 0,
  /** Beside that, of a callback, and of an event. */
  callbackDelay: 0,
  eventDelay: 0,
  /** A receiver is trusted by its certificate, and never leads elsewhere (CIBA Core §10.3.1). */
  receiverCertificateChecked: true,
  receiverRedirectsFollowed: 0,
  /** §6: further attempts for an event, and the seconds from one to the next. */
  eventRetries: 3,
  eventRetryAfter: 60,
  eventDeadline: 10,
  /** §6: a duplicate generated within this is dropped. */
  eventDuplicateWindow: 3600,
  /** §2.8: a SIM in use for less than this is new. */
  simTenureWindow: 86_400,
  /** §2.11: how long the carrier needs to see a SIM swap; above an hour sim_tenure_24 falls to level 1. */
  simSwapLag: 0,
  proofLife: 120,
  proofLeeway: 10,
  proofWindow: 300,
  /** Life of a client assertion, of an authorization code and of a login_hint_token. */
  assertionLife: 86_400,
  codeLife: 600,
  hintTokenLife: 600,
  /** Requests one client may have pending for one subscriber. */
  maxPending: 99,
  /** Status of the discovery response for an unknown client or carrier code. */
  discoveryErrorStatus: 200,
  /** Error codes, by what happened (§7). */
  deniedError: 'request_denied',
  timedOutError: 'authentication_timed_out',
  goneError: 'server_error',
  unknownHintError: 'access_denied',
  foreignHintError: 'access_denied',
  unenrolledError: 'access_denied',
  unconsentedError: 'access_denied',
  /** §2.3, §2.11: attributes that the carrier does not have, by scope. */
  withoutAttributes: '',
  /** §2.2: kid of the carrier's first key; none: it makes one. */
  carrierKid: '',
  /** §2.3: characters of state and of nonce. */
  stateMax: 32_768,
  /** Between the end of a consent and its effect; the interface names no time. */
  consentLag: 0,
  /** §2.6: the user approves single scopes; without, all or nothing. */
  partialApproval: true,
};

/** The policy of the conforming carrier, at the strictest interpretation of each rule. */
export const strictPolicy: Policy = {
  ...limits,
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
