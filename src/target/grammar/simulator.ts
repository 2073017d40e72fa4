import type { Cursor } from '../../suite/yaml/document.ts';
import {
  anyText,
  described,
  flag,
  type Grammar,
  integer,
  json,
  list,
  mapping,
  members,
  named,
  object,
  pattern,
  nonEmptyText,
  word,
} from '../../suite/grammar/grammar.ts';
import {
  carrierCode,
  clientFlags,
  durationValue,
  sourceGrammar,
  textOrVariable,
  uriGrammar,
  uriListGrammar,
} from '../values.ts';

const scopeListGrammar = named('scopes', list(nonEmptyText({ title: 'a scope' }), { title: 'a list of scopes' }));

const portGrammar = (description: string) => integer(0, 65_535, { title: 'a port from 0 to 65535', description });

const simulatedClientGrammar = object(
  {
    client_id: described(textOrVariable, 'The client_id that the SP sends.'),
    jwks: described(sourceGrammar, 'Public keys of the SP: a JWK set or one JWK.'),
    keys: list(json({ type: 'object', title: 'a public JWK' }), {
      title: 'a list of public keys',
      description: 'Public keys of the SP as JWKs; each with a kid.',
    }),
    secret: described(sourceGrammar, 'Client secret of an SP without keys.'),
    redirect_uris: described(uriListGrammar, 'Default https://sp.example/callback.'),
    notification_uris: described(uriListGrammar, 'Allowed callback URIs; one that begins with / is below receiver.'),
    event_uri: uriGrammar('Event endpoint (§4.8).'),
    flags: members(clientFlags, {
      title: 'flags',
      description: 'Flags of the registration (§2.12); by default server_initiated is on and the others are off.',
    }),
    scopes: described(scopeListGrammar, 'Scopes that it may request; default: the scopes of the interface.'),
    sector: nonEmptyText({
      title: 'a name',
      description: 'Name of its sector, which clients can share; default: a sector of its own.',
    }),
    disabled: flag({ description: 'The registration is disabled.' }),
  },
  { required: ['client_id', 'notification_uris'], title: 'a client' },
);

const simulatedSubscriberGrammar = object(
  {
    phone: pattern('^\\+[1-9][0-9]{6,14}$', {
      title: 'a phone number such as +12025550101',
      description: 'Phone number.',
    }),
    enrolled: flag({ description: 'Has the phone app; default true.' }),
    subs: mapping(nonEmptyText({ title: 'a subscriber id' }), {
      title: 'a mapping of clients',
      description: 'Pairwise subscriber id by client; default: made from the names, and printed at the start.',
    }),
    consents: mapping(scopeListGrammar, {
      title: 'a mapping of clients',
      description: 'Scopes consented to, by client; default: openid for each client.',
    }),
    profile: json({
      type: 'object',
      title: 'a profile',
      description: 'User info by attribute, as in §2.11: { email: { value: a@b.example } }.',
    }),
  },
  { required: ['phone'], title: 'a subscriber' },
);

/** Mapping of options, or `true` for none; read as its place with the options. */
const optionsOrTrue = <Options>(
  options: Grammar<Options>,
  title: string,
  description: string,
): Grammar<SwitchOptions<Options>> => ({
  schema: { ...options.schema, type: ['object', 'boolean'], title, description },
  definitions: options.definitions,
  read: (cursor) => (cursor.value === undefined ? undefined : { cursor, options: options.read(cursor) }),
});

interface SwitchOptions<Options> {
  readonly cursor: Cursor;
  readonly options: Options | undefined;
}

const delayGrammar = described(durationValue, 'Delay before it happens; default none.');

const approval = object(
  {
    client: nonEmptyText({ title: 'a client', description: 'Only requests of this client.' }),
    subscriber: nonEmptyText({ title: 'a subscriber', description: 'Only requests to this subscriber.' }),
    context: nonEmptyText({
      title: 'a pattern',
      description: 'Only requests with a matching context; * matches any text.',
    }),
    approve: optionsOrTrue(
      object({ after: delayGrammar, scopes: described(scopeListGrammar, 'Only these are ticked.') }),
      'true or { after, scopes }',
      'The subscriber approves.',
    ),
    deny: optionsOrTrue(object({ after: delayGrammar }), 'true or { after }', 'The subscriber denies.'),
    ignore: json({ const: true, title: 'true', description: 'The subscriber does not respond.' }),
  },
  { title: 'an approval' },
);

export const simulatorGrammar = object(
  {
    mccmnc: carrierCode('Carrier code of the subscribers (§4.5); default "001010".'),
    issuer: described(textOrVariable, 'Issuer URL; default: the origin of its endpoints.'),
    port: portGrammar('Port of its endpoints; default 8600.'),
    admin_port: portGrammar('Port of its admin API; default 8601.'),
    receiver: described(textOrVariable, 'Base URL of URIs that begin with /; default http://127.0.0.1:8602.'),
    tls: object(
      {
        cert: described(sourceGrammar, 'Certificate in PEM.'),
        key: described(sourceGrammar, 'Its private key in PEM.'),
      },
      { title: 'tls', description: 'The endpoints speak https with this certificate.', minProperties: 1 },
    ),
    clock: word(['real', 'virtual'], {
      title: 'real or virtual',
      description: 'A virtual clock stands still until the admin API moves it; default real.',
    }),
    token: object(
      {
        assertion_audience: word(['either', 'token_endpoint', 'issuer'], {
          title: 'either, token_endpoint or issuer',
          description: 'Required audience of client assertions (§4.3); default either.',
        }),
      },
      { title: 'token', description: 'Requirements of the token endpoint (§4.3).' },
    ),
    faults: list(anyText({ title: 'a fault' }), {
      title: 'a list of faults',
      description: 'Faults of the simulator; carrierspec prove lists them.',
    }),
    clients: mapping(named('client', simulatedClientGrammar), {
      title: 'clients',
      minProperties: 1,
      description: 'SP registrations by a name that you choose.',
    }),
    subscribers: mapping(named('subscriber', simulatedSubscriberGrammar), {
      title: 'subscribers',
      minProperties: 1,
      description: 'Subscribers by a name that you choose.',
    }),
    approvals: list(named('approval', approval), {
      title: 'a list of approvals',
      description: 'Automatic responses of subscribers; the first that matches a request applies.',
    }),
  },
  {
    title: 'a simulator file',
    description:
      'simulator.yaml: the reference carrier with your own clients and subscribers (carrierspec carrier --config).',
    required: ['clients', 'subscribers'],
  },
);

export type GivenSimulator = NonNullable<ReturnType<typeof simulatorGrammar.read>>;
export type GivenSimulatedClient = NonNullable<ReturnType<typeof simulatedClientGrammar.read>>;
export type GivenSimulatedSubscriber = NonNullable<ReturnType<typeof simulatedSubscriberGrammar.read>>;
export type GivenApproval = NonNullable<ReturnType<typeof approval.read>>;
