import { memoizeByObject } from '../../lib/lists.ts';
import type { Action } from '../../model/action.ts';
import { hoursPattern } from '../../lib/hours.ts';
import { profiles } from '../../model/profile.ts';
import { signingAlgs } from '../../model/signing.ts';
import {
  anyText,
  described,
  flag,
  integer,
  json,
  list,
  mapping,
  named,
  object,
  pattern,
  placed,
  nonEmptyText,
  word,
} from '../../suite/grammar/grammar.ts';
import { clockDriverGrammar, driverGrammar } from '../drivers/table.ts';
import { declarationKeys } from './declarations.ts';
import {
  carrierCode,
  clientFlags,
  dayGrammar,
  durationValue,
  variableSource,
  headerTemplates,
  numberOrVariable,
  secretGrammar,
  sourceGrammar,
  templates,
  textOrVariable,
  placedUri,
  placedUris,
} from '../values.ts';

const keyGrammar = object(
  {
    file: described(textOrVariable, 'Path of a private JWK or PEM, relative to the folder of this file.'),
    env: variableSource('Name of the environment variable that holds a private JWK or PEM.'),
    kid: nonEmptyText({ title: 'a kid', description: 'The kid as registered; default: the one of the JWK.' }),
    alg: word(signingAlgs, {
      title: `${signingAlgs.slice(0, -1).join(', ')} or ${signingAlgs.at(-1)}`,
      description: "Default: the JWK's.",
    }),
  },
  { title: 'a key' },
);

const clientGrammar = object(
  {
    client_id: described(textOrVariable, 'The client_id as registered.'),
    keys: list(keyGrammar, {
      title: 'a list of keys',
      description: 'Private keys; the first signs unless a case says otherwise.',
    }),
    secret: described(secretGrammar, 'Client secret; never written inline.'),
    redirect_uris: described(placedUris, 'The URIs as registered; cases use the first unless they say otherwise.'),
    notification_uris: described(
      placedUris,
      "The URIs as registered; one that begins with / is on the receiver's URL.",
    ),
    scopes: list(nonEmptyText({ title: 'a scope' }), {
      title: 'a list of scopes',
      minItems: 1,
      description: 'The scopes as registered (§2.3); cases that request others are not applicable. Default: unknown.',
    }),
    flags: object(clientFlags, {
      title: 'flags',
      description: 'Flags of the registration (§2.12); a missing one is off.',
    }),
    event_uri: placedUri("Event endpoint as registered; one that begins with / is on the receiver's URL."),
  },
  { required: ['client_id', 'redirect_uris', 'notification_uris'], title: 'a client' },
);

/** Tags that a case may require of its subscriber; from `proofed` on they say how attributes were proofed (§2.11). */
const subscriberTags = [
  'consented',
  'second',
  'unconsented',
  'unenrolled',
  'undeterminable',
  'proofed',
  'self-declared',
  'credit-checked',
  'unchecked-owner',
  'postpaid-family',
  'scanned-only',
] as const;

const subscriberGrammar = object(
  {
    tags: list(
      word(subscriberTags, { title: `${subscriberTags.slice(0, -1).join(', ')} or ${subscriberTags.at(-1)}` }),
      {
        title: 'a list of tags',
        description: 'Tags that cases may require, such as consented, second, unconsented, unenrolled.',
        minItems: 1,
      },
    ),
    phone: described(textOrVariable, 'Phone number as in user info.'),
    subs: mapping(anyText({ title: 'a pairwise subscriber id' }), {
      title: 'subs',
      description: 'Pairwise subscriber id by name of the client.',
    }),
  },
  { required: ['tags', 'subs'], title: 'a subscriber' },
);

const attestation = object(
  {
    by: nonEmptyText({ title: 'a name', description: 'Person who saw it.' }),
    on: dayGrammar('2026-11-01', 'Day on which it was seen.'),
    description: nonEmptyText({ title: 'a sentence', description: 'Statement of what the person saw.' }),
    evidence: json({
      type: ['string', 'object'],
      minLength: 1,
      title: 'a path or { text: ... }',
      description:
        'Evidence: a text, or a file relative to the folder of this file. The SHA-256 of a file is recorded.',
      additionalProperties: false,
      required: ['text'],
      properties: {
        text: nonEmptyText({ title: 'a text', description: 'The place of the evidence, if it is not a file.' }).schema,
      },
    }),
  },
  { required: ['by', 'on', 'description', 'evidence'], title: 'an attestation' },
);

const endpointGrammar = (description: string) => described(textOrVariable, description);

const endpointsGrammar = object(
  {
    server_initiated: endpointGrammar('Server-initiated authorization request (§4.1).'),
    authorization: endpointGrammar('Authorization endpoint.'),
    token: endpointGrammar('Token endpoint (§4.3).'),
    userinfo: endpointGrammar('User info (§4.9).'),
    jwks: endpointGrammar('Public keys of the carrier.'),
    usertrait: endpointGrammar('SIM tenure (§4.7).'),
    cancel: endpointGrammar('Cancel (§4.4); may contain {auth_req_id}.'),
  },
  { title: 'endpoints', description: 'Endpoint URLs; they override discovery.' },
);

const cancelGrammar = object(
  {
    method: pattern('^[A-Z]+$', { title: 'an HTTP method such as DELETE', description: 'Default POST.' }),
    as: word(['form', 'json', 'query'], {
      title: 'form, json or query',
      description: 'Place of the parameters: a form (default), a JSON body or the query.',
    }),
    member: nonEmptyText({ title: 'a name', description: "The carrier's name for auth_req_id." }),
    parameters: templates(
      "Parameters in addition to the suite's, with templates that read those as with; null removes one of the suite's.",
    ),
    headers: headerTemplates,
  },
  { title: 'cancel', description: 'How to send a cancellation (§4.4); default: POST of a form.' },
);

const receiverGrammar = object(
  {
    host: described(textOrVariable, 'Address to listen on.'),
    port: described(numberOrVariable, { title: 'a port', description: 'Port to listen on; 0 means any free port.' }),
    url: described(textOrVariable, 'URL at which the carrier reaches the receiver.'),
    tls: object(
      {
        cert: described(sourceGrammar, 'Certificate with its intermediate certificates, in PEM.'),
        key: described(sourceGrammar, 'Private key of the certificate, in PEM, not encrypted.'),
      },
      { title: 'tls', description: 'The receiver speaks https with this certificate.', minProperties: 1 },
    ),
    sources: described(
      list(nonEmptyText({ title: 'an address or a CIDR range' }), { title: 'a list of addresses', minItems: 1 }),
      "Source addresses of the carrier's deliveries; deliveries from other addresses are ignored. Do not set this behind a proxy, where every delivery has the proxy's address.",
    ),
    clients: object(
      { ca: described(sourceGrammar, "CA certificates for the carrier's client certificates, in PEM.") },
      {
        title: 'clients',
        description:
          "The carrier's deliveries show a client certificate; deliveries without one are ignored. Needs tls.",
        required: ['ca'],
      },
    ),
    wrong_certificate: object(
      {
        uri: described(textOrVariable, 'https URI, registered as a further notification URI of the client main.'),
        host: described(textOrVariable, 'Address to listen on; default 127.0.0.1.'),
        port: described(numberOrVariable, {
          title: 'a port',
          description: 'Port to listen on; default: the port of uri.',
        }),
      },
      {
        title: 'wrong_certificate',
        description:
          'A second receiver with a self-signed certificate for another host; the carrier must not deliver to it.',
        required: ['uri'],
      },
    ),
  },
  { title: 'receiver', description: "The receiver that hosts the SP's endpoints during a run." },
);

const tls = object(
  {
    ca: described(sourceGrammar, "CA certificates in PEM; they replace the system's."),
    cert: described(sourceGrammar, 'Client certificate for a carrier that requests one, in PEM.'),
    key: described(sourceGrammar, 'Private key of cert, in PEM, not encrypted.'),
    min_version: word(['TLSv1.2', 'TLSv1.3'], {
      title: 'TLSv1.2 or TLSv1.3',
      description: 'Minimum TLS version; default TLSv1.2.',
    }),
  },
  { title: 'tls', description: 'Trusted authorities, and our own certificate, for calls to the carrier.' },
);

const driversGrammar = (actions: readonly Action[]) =>
  object(
    Object.fromEntries(
      actions.map(({ name, description }) => [
        name,
        described(driverGrammar, `${description.charAt(0).toUpperCase()}${description.slice(1)}.`),
      ]),
    ),
    { title: 'drivers', description: 'How to perform each action.' },
  );

const clock = object(
  {
    read: described(clockDriverGrammar, "Reads the carrier's time and the next time at which something is due."),
    advance: described(
      clockDriverGrammar,
      'Advances the time to {{ to }}, by default in milliseconds since the epoch.',
    ),
    flows: flag({ description: 'Time passes between advances.' }),
  },
  {
    required: ['read', 'advance'],
    title: 'clock',
    description: 'Virtual clock of the carrier; without it the run is in real time.',
  },
);

const targetKeys = {
  ...declarationKeys,
  carrier: nonEmptyText({ title: 'a name', description: 'Name of the carrier, as reports show it.' }),
  mccmnc: carrierCode('Carrier code of the subscribers (§4.5).'),
  discovery: described(textOrVariable, 'Discovery issuer; its OpenID configuration names the endpoints (§4.5).'),
  issuer: described(textOrVariable, 'Issuer URL, if discovery is not used.'),
  endpoints: endpointsGrammar,
  origins: described(list(textOrVariable, { title: 'a list of origins' }), {
    title: 'a list of origins',
    minItems: 1,
    description:
      'Further origins of the carrier, such as https://keys.carrier.example. The run sends nothing to an origin that is neither listed nor on the site of discovery.',
  }),
  cancel: cancelGrammar,
  clients: mapping(named('client', clientGrammar), {
    title: 'clients',
    minProperties: 1,
    description:
      'SP registrations by the name suites use: main, second, two-keys, privileged, plain, secret-only, disabled.',
  }),
  subscribers: mapping(named('subscriber', subscriberGrammar), {
    title: 'subscribers',
    minProperties: 1,
    description: 'Test users by a name that you choose.',
  }),
  supports: placed(
    mapping(flag(), {
      title: 'supports',
      description: 'Optional features; false makes cases that need the feature not applicable.',
    }),
  ),
  receiver: receiverGrammar,
  tls,
  proxy: described(
    textOrVariable,
    'URL of an HTTP proxy between us and the carrier. Write a URL with a password as { env: NAME }.',
  ),
  rate_limit: pattern('^[0-9]+(\\.[0-9]+)?/(s|m|h)$', {
    title: 'a rate such as 5/s or 90/m',
    description: 'Maximum rate of requests to the carrier, in real time.',
  }),
  cases_per_subscriber: integer(1, 250, {
    title: 'a whole number from 1 to 250',
    description: 'Maximum concurrent cases per subscriber; default 4.',
  }),
  hours: pattern(hoursPattern, {
    title: 'hours such as 09:00-17:00',
    description:
      'Hours of the local day in which a run brings pushes to phones and asks people, unless --hours says otherwise.',
  }),
  profile: word(profiles, {
    title: `${profiles.slice(0, -1).join(', ')} or ${profiles.at(-1)}`,
    description: 'The rules that count for the outcome of a run, unless --profile says otherwise; default interface.',
  }),
  test_carrier: flag({ description: 'Declares a test carrier; the result and its certificate say so.' }),
  clock,
  attestations: mapping(named('attestation', attestation), {
    title: 'attestations',
    description: "The operator's statements on rules that no black box can judge, by rule.",
  }),
  request_timeout: described(durationValue, 'Maximum duration of an exchange, such as 10s.'),
  delivery_timeout: described(durationValue, 'Maximum wait for a callback that is due at once, such as 30s.'),
  trace_header: pattern('^[A-Za-z0-9-]+$', {
    title: 'the name of a header',
    description:
      "Name of a header with a random, opaque value in every request, to find it in the carrier's logs: X-Request-ID.",
  }),
};

const makeGrammar = (actions: readonly Action[]) =>
  object(
    { ...targetKeys, drivers: placed(driversGrammar(actions)) },
    {
      title: 'a target file',
      description: 'carrier.yaml: the carrier under test. Any string may be { env: NAME }.',
      required: ['carrier', 'mccmnc', 'clients', 'subscribers'],
    },
  );

export const targetGrammar = memoizeByObject(makeGrammar);

export type GivenTarget = NonNullable<ReturnType<ReturnType<typeof makeGrammar>['read']>>;
export type GivenClient = NonNullable<ReturnType<typeof clientGrammar.read>>;
export type GivenSubscriber = NonNullable<ReturnType<typeof subscriberGrammar.read>>;
export type GivenAttestation = NonNullable<ReturnType<typeof attestation.read>>;
export type GivenKey = NonNullable<ReturnType<typeof keyGrammar.read>>;
