import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { at, type Cursor, entries, text, texts } from '../suite/yaml/cursor.ts';
import type { Reader } from '../target/reader.ts';

interface Given {
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

function requireClients(cursor: Cursor, { clients, reader }: Given): void {
  for (const [name, one] of entries(cursor)) {
    if (!clients.includes(name)) reader.complainAtKey(one, 'unknown-name', `there is no client "${name}"`, clients);
  }
}

/** A subscriber as the reference carrier wants it. */
export function loadSimulatedSubscriber(name: string, cursor: Cursor, given: Given): JsonObject {
  const { mccmnc, clients, reader } = given;
  const [subs, consents, profile] = [at(cursor, 'subs'), at(cursor, 'consents'), at(cursor, 'profile').value];
  for (const one of [subs, consents]) requireClients(one, given);
  for (const [, sub] of entries(subs)) {
    if (text(sub)?.startsWith(`${mccmnc}-`) === true) continue;
    reader.complain(sub, 'bad-value', `a subscriber id begins with the carrier code and a dash: ${mccmnc}-`);
  }
  const phone = text(at(cursor, 'phone')) ?? '';
  const consented = (client: string): readonly string[] =>
    consents.value === undefined ? ['openid'] : (texts(at(consents, client)) ?? []);
  return {
    name,
    phone,
    enrolled: at(cursor, 'enrolled').value !== false,
    profile: { ...profileOf(name, phone), ...(isJsonObject(profile) ? profile : {}) },
    account: { plan: 'postpaid', holder: true, email_verified: true },
    consents: Object.fromEntries(clients.map((client) => [client, consented(client)])),
    subs: Object.fromEntries(clients.map((client) => [client, text(at(subs, client)) ?? subOf(mccmnc, client, name)])),
  };
}
