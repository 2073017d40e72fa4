import { dealt, type Wanted } from '../../../explore/exploration.ts';
import type { Probe } from '../../../explore/probe.ts';
import type { Abilities } from './accepted.ts';
import { broken, fine, hints, inherited, lenient, odd, type Row, unread } from './byte-rows.ts';
import { elsewhereProbes } from './elsewhere.ts';
import { type Single, singleProbe } from './single.ts';

/** Claims of a type that they never have: each gets a response, and where the type is stated a denial. */
const wrongTypes = ['null', 'true', '0', '1.5', '[]', '{}', '""', '[null]', '{"a":1}', '1e400', '"\\u0000"'];
const claims = [
  'iss',
  'sub',
  'aud',
  'iat',
  'exp',
  'jti',
  'nbf',
  'expires_in',
  'response_type',
  'client_id',
  'redirect_uri',
  'notification_uri',
  'client_notification_token',
  'scope',
  'state',
  'nonce',
  'prompt',
  'options',
  'acr_values',
  'login_hint',
  'login_hint_token',
  'context',
  'correlation_id',
  'referred_binding',
  'sdk_version',
];

const typed: readonly Row[] = claims.flatMap((claim) =>
  wrongTypes.map((text): Row => [`A claim ${claim} that is ${text}`, { raw: { [claim]: text } }]),
);

const wordsFor: Readonly<Record<string, string>> = {
  accepted: 'is accepted',
  denied: 'is denied',
  answered: 'gets a response below 500',
};

const single = ([title, difference]: Row, outcome: Single['outcome'], rule: string): Single => ({
  title: `${title} ${wordsFor[outcome] ?? outcome}`,
  difference,
  rule,
  outcome,
});

/** What the target can do, and which endpoints it has. */
export interface ByteAbilities extends Abilities {
  readonly serves: (endpoint: string) => boolean;
  readonly hintToken: boolean;
}

/** Bytes that are no request, or hardly one (§2.1, §4.1): refused or answered, and the next request is accepted. */
export function byteProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  count: number,
  abilities: ByteAbilities,
): readonly Probe[] {
  const { serves, hintToken } = abilities;
  const all = [
    ...broken.map((row) => ({ ...single(row, 'denied', 'TRN-002'), refusal: true as const })),
    ...unread.map((row) => single(row, 'denied', 'TRN-002')),
    ...(hintToken ? hints : []).map((row) => single(row, 'denied', 'LHT-009')),
    ...lenient.map((row) => single(row, 'denied', 'TRN-017#strict-json')),
    ...[...fine, ...inherited].map((row) => single(row, 'accepted', 'REQ-087')),
    ...[...odd, ...typed].map((row) => single(row, 'answered', 'TRN-015')),
  ];
  const probes = all.map((one) =>
    singleProbe(one, 'bytes', { ...abilities, approve: abilities.approve && one.outcome === 'accepted' }),
  );
  return dealt([...probes, ...elsewhereProbes(serves)], { seed: `${seed} bytes`, round }, count);
}
