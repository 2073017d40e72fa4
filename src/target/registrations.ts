import type { Client, Target } from '../model/target.ts';
import type { Case } from '../suite/suites.ts';

/** Finds the client for a case: the one it names, or the first with its flags and a key. */
export function findClient({ client: wanted }: Pick<Case, 'client'>, { clients }: Target): Client | undefined {
  if (typeof wanted === 'string') return clients.find(({ name }) => name === wanted);
  return clients.find(
    ({ flags, keys }) => keys.length > 0 && Object.entries(wanted).every(([flag, on]) => (flags[flag] ?? false) === on),
  );
}

/** Part of a registration that some cases require. */
interface RegistrationNeed {
  /** Key in the target file, below the client's name. */
  readonly key: string;
  readonly value: (client: Client) => readonly string[] | undefined;
  /** `name` is the part of the requirement after the colon. */
  readonly isMet: (name: string, client: Client) => boolean;
  /** Describes the unmet names of a client. */
  readonly words: (names: readonly string[], client: Client) => string;
}

const uriKindText = (kind: string): string => (kind === 'https' ? 'https' : 'a custom scheme');

/** Needs by the word before the colon of a requirement, in the order of the target file's documentation. */
export const registrationNeeds: Readonly<Record<string, RegistrationNeed>> = {
  'redirect-uri': {
    key: 'redirect_uris',
    value: ({ redirectUris }) => redirectUris,
    isMet: (kind, { redirectUris }) => redirectUris.some((uri) => uri.startsWith('https:') === (kind === 'https')),
    words: (kinds, { name }) => `client ${name} has no redirect_uri with ${kinds.map(uriKindText).join(' or ')}`,
  },
  'second-notification-uri': {
    key: 'notification_uris',
    value: ({ notificationUris }) => notificationUris,
    isMet: (_, { notificationUris }) => notificationUris.length > 1,
    words: (_, { name }) => `client ${name} has registered one URI for notifications`,
  },
  secret: {
    key: 'secret',
    value: () => [],
    isMet: (_, { secret }) => secret !== undefined,
    words: (_, { name }) => `client ${name} has no secret`,
  },
  scope: {
    key: 'scopes',
    value: ({ scopes }) => scopes,
    isMet: (scope, { scopes }) => scopes === undefined || scopes.includes(scope),
    words: (scopes, { name }) =>
      `client ${name} is not registered for the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`,
  },
};

/** Splits a requirement at its colon into word and name. */
export function splitRequirement(need: string): readonly [word: string, name: string] {
  const [word = '', ...rest] = need.split(':');
  return [word, rest.join(':')];
}
