import { createHash } from 'node:crypto';
import { defined } from '../../lib/optional.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { at, entries } from '../../suite/cursor.ts';
import { parseDuration } from '../../suite/duration.ts';
import { suggestion } from '../../suite/suggest.ts';
import type { GivenApproval, GivenSimulatedSubscriber } from '../../target/grammar/simulator.ts';
import { type Reader, requireClients } from '../../target/reader.ts';

interface Loading {
  readonly mccmnc: string;
  readonly clients: readonly string[];
  readonly reader: Reader;
}

/** The same for the same names, so that an SP's fixtures stay good. */
const subOf = (mccmnc: string, client: string, name: string): string =>
  `${mccmnc}-${createHash('sha256').update(`${client}\n${name}`).digest('hex').slice(0, 20)}`;

/** Attributes that every subscriber has, under those of the file. */
const profileOf = (name: string, phone: string): JsonObject => ({
  name: { value: `Test ${name}`, given_name: 'Test', family_name: name },
  email: { value: `${name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}@subscriber.example` },
  phone: { value: phone },
  postal_code: { value: '62701' },
  birthdate: { value: '1990-04-01' },
});

/** A subscriber as the reference carrier wants it. */
export function loadSimulatedSubscriber(
  name: string,
  given: GivenSimulatedSubscriber,
  { mccmnc, clients, reader }: Loading,
): JsonObject {
  const { phone = '', enrolled = true, profile, cursor } = given;
  const [subs, consents] = [new Map(given.subs), given.consents && new Map(given.consents)];
  for (const key of ['subs', 'consents']) {
    const places = entries(at(cursor, key)).map(([, place]) => place);
    requireClients(places, clients, reader);
  }
  for (const [client, sub] of subs) {
    if (sub.startsWith(`${mccmnc}-`)) continue;
    const message = `a subscriber id begins with the carrier code and a dash: ${mccmnc}-`;
    reader.complain(at(at(cursor, 'subs'), client), 'bad-value', message);
  }
  const consented = (client: string): readonly string[] =>
    consents === undefined ? ['openid'] : (consents.get(client) ?? []);
  return {
    name,
    phone,
    enrolled,
    profile: { ...profileOf(name, phone), ...(isJsonObject(profile?.value) ? profile.value : {}) },
    account: { plan: 'postpaid', holder: true, email_verified: true },
    consents: Object.fromEntries(clients.map((client) => [client, consented(client)])),
    subs: Object.fromEntries(clients.map((client) => [client, subs.get(client) ?? subOf(mccmnc, client, name)])),
  };
}

/** What a subscriber does with a request without being asked. */
export interface ApprovalRule {
  readonly client?: string;
  readonly subscriber?: string;
  readonly context?: RegExp;
  readonly act: 'approve' | 'deny' | 'ignore';
  /** Seconds. */
  readonly after: number;
  readonly scopes?: readonly string[];
}

const acts = ['approve', 'deny', 'ignore'] as const;

/** `Order-*`: an asterisk is anything, all else is itself. */
const patternOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`, 's');

/** The names that an approval may use. */
export type Known = Readonly<Record<'client' | 'subscriber', readonly string[]>>;

function requireNames(given: GivenApproval, known: Known, reader: Reader): void {
  for (const kind of ['client', 'subscriber'] as const) {
    const name = given[kind];
    if (name === undefined || known[kind].includes(name)) continue;
    const hint = suggestion(name, known[kind]);
    const message = `there is no ${kind} "${name}"${hint === undefined ? '' : `; ${hint}`}`;
    reader.complain(at(given.cursor, kind), 'unknown-name', message);
  }
}

/** One entry of `approvals`. */
export function loadApproval(given: GivenApproval, known: Known, reader: Reader): ApprovalRule | undefined {
  const { cursor, client, subscriber, context, approve, deny } = given;
  const [act, ...others] = acts.filter((one) => given[one] !== undefined);
  if (act === undefined || others.length > 0) {
    return reader.complain(cursor, 'verb-count', 'an approval is one of approve, deny and ignore');
  }
  const switched = at(cursor, act);
  if (switched.value === false) {
    reader.complain(switched, 'bad-value', `"${act}" must be true, not false: leave it out`);
  }
  requireNames(given, known, reader);
  const after = (approve ?? deny)?.options?.after;
  return {
    act,
    after: parseDuration(after ?? '') ?? 0,
    ...defined({
      client,
      subscriber,
      context: context === undefined ? undefined : patternOf(context),
      scopes: approve?.options?.scopes,
    }),
  };
}
