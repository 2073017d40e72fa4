import type { ServerHabits } from '../../carrier/http/habits.ts';
import { type Grammar, integer, list, members, pattern, type Read, text, word } from '../../suite/grammar/grammar.ts';

const path = pattern('^(/[^?#]*)?$', { title: 'a path' });

/** How ids of one kind look. */
const ids = (description: string) =>
  members(
    {
      prefix: pattern('^[!-~]*$', { title: 'characters' }),
      length: integer(1, 200, { title: 'a length', description: 'Characters after the prefix.' }),
      characters: word(['digits', 'hex', 'letters', 'mixed'], { title: 'digits, hex, letters or mixed' }),
    },
    { title: 'a shape of ids', description },
  );

const key = word(['rsa-2048', 'rsa-3072', 'rsa-4096', 'es256'], { title: 'a type of key' });
const code = pattern('^[0-9]{5,6}$', { title: 'a carrier code' });
const uris = list(text({ title: 'a URI' }), { minItems: 1, title: 'a list of URIs' });

const paths = members(
  {
    server_initiated: path,
    authorization: path,
    token: path,
    userinfo: path,
    jwks: path,
    cancel: path,
    discovery_ui: path,
  },
  { title: 'paths' },
);

/** What is registered, and where the carrier is: words that the registrations and the target file are made of. */
export const setupGrammar = members(
  {
    code,
    own_codes: list(code, { title: 'further codes of the carrier', minItems: 1 }),
    foreign_codes: list(code, { title: 'codes of other carriers', minItems: 1 }),
    base: path,
    discovery_host: word(['localhost'], { title: 'localhost' }),
    paths,
    client_ids: ids('Ids of clients.'),
    subs: ids('Pairwise subscriber ids, after the carrier code and the dash.'),
    kids: ids("Kids of the clients' keys."),
    keys: key,
    two_keys: list(key, { title: 'the keys of the client two-keys', minItems: 2 }),
    phones: pattern('^\\+[1-9][0-9]{4,13}$', { title: 'the beginning of phone numbers' }),
    sites: list(text({ title: 'a host' }), { title: 'hosts of the two SPs', minItems: 2, maxItems: 2 }),
    redirect_uris: uris,
    notification_uris: uris,
    event_uri: text({ title: 'a URI' }),
    consented: list(text({ title: 'a scope' }), { title: 'further scopes that were consented to before', minItems: 1 }),
    without_scopes: list(text({ title: 'a scope' }), { title: 'scopes that no SP is registered for', minItems: 1 }),
    without_attributes: list(text({ title: 'an attribute' }), { title: 'attributes', minItems: 1 }),
  },
  { title: 'words of the setup', description: 'What is registered, and where the carrier is.' },
);

export type Setup = NonNullable<Read<typeof setupGrammar>>;
export type IdShape = NonNullable<Setup['subs']>;
export type KeyType = NonNullable<Setup['keys']>;

/** How the carrier speaks HTTP, without a change of what it says. */
export const habitsGrammar: Grammar<ServerHabits> = members(
  {
    connection: word(['keep', 'close', 'short'], { title: 'keep, close or short' }),
    date: word(['right', 'missing', 'ahead', 'behind', 'slow', 'wrong', 'epoch', 'end', 'garbage', 'moving'], {
      title: 'a kind of Date',
    }),
    headerNames: word(['lower', 'title', 'upper'], { title: 'lower, title or upper' }),
    notFound: word(['json', 'html', 'text', 'empty'], { title: 'json, html, text or empty' }),
    json: word(['plain', 'pretty', 'sorted', 'reversed', 'escaped'], { title: 'a way to write JSON' }),
    charset: word(['spaced', 'tight', 'upper', 'none'], { title: 'spaced, tight, upper or none' }),
    more: word(['none', 'security', 'gateway', 'cookies'], { title: 'none, security, gateway or cookies' }),
    length: word(['counted', 'chunked'], { title: 'counted or chunked' }),
    coding: word(['none', 'gzip', 'br', 'deflate'], { title: 'none, gzip, br or deflate' }),
  },
  { title: 'habits of the server', description: 'How the carrier speaks HTTP, without a change of what it says.' },
);
