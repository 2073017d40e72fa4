import type { Client } from '../state/accounts.ts';
import type { AssertionContext } from '../pipeline/assertion.ts';
import type { SubscriberContext } from '../pipeline/context.ts';
import type { Json } from '../json.ts';

/** What a check may have seen; an early one has seen little. */
type Known = Partial<SubscriberContext> & Partial<Pick<AssertionContext, 'audiences'>>;

const isKnown = (value: unknown): value is Known => typeof value === 'object' && value !== null;

const longest = 120;

/** A value of the request, short and in one line. */
function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const claim =
  (name: string) =>
  ({ claims }: Known): string =>
    `${name} is ${shown(claims?.[name])}`;

const registered = (values: Iterable<string>): string => {
  const list = [...values];
  return list.length === 0 ? 'none is registered' : `registered: ${list.join(', ')}`;
};

const among =
  (name: string, of: (client: Client) => Iterable<string>) =>
  (known: Known): string =>
    `${claim(name)(known)}; ${registered(known.client === undefined ? [] : of(known.client))}`;

const apart =
  (name: string) =>
  (known: Known): string => {
    const { claims, now } = known;
    const value = claims?.[name];
    if (typeof value !== 'number' || now === undefined) return claim(name)(known);
    const off = value - Math.floor(now / 1000);
    return `${name} is ${Math.abs(off)} s ${off < 0 ? 'ago' : 'ahead'} on the carrier’s clock`;
  };

const whose = ({ subscriber, client }: Known): string => `${subscriber?.name ?? '?'} and ${client?.name ?? '?'}`;

function whoIsHinted(known: Known): string {
  const { claims, accounts, client } = known;
  const hint = claims?.['login_hint'];
  const base = claim('login_hint')(known);
  if (typeof hint !== 'string' || client === undefined) return base;
  if (hint.startsWith('+') && client.flags.get('enum_enabled') !== true)
    return `${base}; enum_enabled is off for ${client.name}`;
  const found = accounts?.findSub(hint);
  if (found === undefined) return `${base}; no subscriber has it`;
  return `${base}; that is ${found.subscriber.name} for ${found.clientName}, and ${client.name} asks`;
}

/** What a refusal hides from the SP, for its developer: by the name of the check. */
const reasons: Readonly<Record<string, (known: Known) => string>> = {
  'content-type-is-json': ({ contentType }) => `content-type is ${shown(contentType)}`,
  'client-is-registered': (known) =>
    `${claim('client_id')(known)}, ${claim('iss')(known)}; ${registered(known.accounts?.clients.keys() ?? [])}`,
  'kid-selects-the-key': ({ header, client }) =>
    `kid is ${shown(header?.['kid'])}; ${registered(client?.keys.keys() ?? [])}`,
  'alg-fits-the-key': ({ header, key }) => `alg is ${shown(header?.['alg'])}; the key is for ${key?.alg ?? '?'}`,
  'signature-verifies': ({ key }) => `it is not by the registered key ${key?.kid ?? '?'}`,
  'server-initiated-is-on': ({ client }) => `the flag server_initiated of ${client?.name ?? '?'} is off`,
  'iss-is-the-client': claim('iss'),
  'sub-is-the-client': claim('sub'),
  'assertion-aud-is-the-endpoint': (known) =>
    `${claim('aud')(known)}; the assertion may be for ${known.audiences?.join(' or ') ?? '?'}`,
  'assertion-iss-is-the-client': claim('iss'),
  'assertion-jti-not-repeated': (known) => `${claim('jti')(known)}, which is missing or was used before`,
  'assertion-is-of-now': (known) => `${apart('iat')(known)}, ${apart('exp')(known)}`,
  'aud-is-the-issuer': (known) => `${claim('aud')(known)}; the issuer is ${shown(known.issuer)}`,
  'iat-within-5-minutes': apart('iat'),
  'exp-has-not-passed': apart('exp'),
  'exp-within-5-minutes': apart('exp'),
  'expires-in-within-48-hours': claim('expires_in'),
  'response-type-is-async-token': claim('response_type'),
  'redirect-uri-registered': among('redirect_uri', ({ redirectUris }) => redirectUris),
  'notification-uri-registered': among('notification_uri', ({ notificationUris }) => notificationUris),
  'scope-is-allowed': among('scope', ({ scopes }) => scopes),
  'acr-is-a1-or-a3': claim('acr_values'),
  'context-8-to-240': claim('context'),
  'context-without-control-characters': claim('context'),
  'correlation-id-pattern': claim('correlation_id'),
  'jti-not-repeated': (known) => `${claim('jti')(known)}, and it was used within 5 minutes`,
  'prompt-none-is-allowed': ({ client }) =>
    `the flag silent_authorization_enabled of ${client?.name ?? '?'} is off, or consent is missing`,
  'login-hint-names-a-subscriber': whoIsHinted,
  'subscriber-has-the-app': ({ subscriber }) => `${subscriber?.name ?? '?'} is not enrolled`,
  'subscriber-consented-to-openid': (known) => `consents of ${whose(known)} do not hold openid`,
  'few-requests-pending': (known) => `too many requests of ${whose(known)} are pending`,
  'usertraits-are-on': ({ client }) => `the flag usertraits_enabled of ${client?.name ?? '?'} is off`,
};

/** The client of the request, as far as the check knew. */
export const askerOf = (context: unknown): string | undefined => (isKnown(context) ? context.client?.name : undefined);

/** The reason of a refusal, for the developer of the SP. */
export function reasonOf(check: string, context: unknown): string | undefined {
  const reason = Object.hasOwn(reasons, check) ? reasons[check] : undefined;
  return reason === undefined || !isKnown(context) ? undefined : reason(context);
}
