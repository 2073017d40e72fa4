import type { FastifyInstance } from 'fastify';
import type { Subscriber } from '../state/accounts.ts';
import { findSubscriber } from './accounts.ts';
import type { Carrier } from '../carrier.ts';
import { memberOf } from '../http/request.ts';
import { raiseEvent } from '../flow/events.ts';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';

type Change = (carrier: Carrier, subscriber: Subscriber, body: JsonObject) => void;

/** What happens to the SIM, the phone and the number (§1.5, §6); a SIM that only moves stays with its number (§2.8). */
const changes: Readonly<Record<string, Change>> = {
  'move-sim': moved,
  'factory-reset': moved,
  'swap-sim': ({ accounts, clock }, subscriber) => accounts.changeSim(subscriber, clock.now()),
  'change-number': ({ accounts, clock }, subscriber, body) => {
    accounts.changeNumber(subscriber, stringMember(body, 'phone') ?? freeNumber(accounts, subscriber.phone));
    accounts.changeSim(subscriber, clock.now());
    subscriber.phoneChangedAt = clock.now();
  },
};

function moved({ clock }: Carrier, subscriber: Subscriber): void {
  subscriber.movedAt = clock.now();
}

const editedTo: JsonObject = {
  name: { value: 'Edited Name', given_name: 'Edited', family_name: 'Name' },
  email: 'edited@subscriber.example',
  birthdate: '1970-01-01',
  address: {
    formatted: '9 Edit Street, Springfield, IL 62701',
    street_address: '9 Edit Street',
    locality: 'Springfield',
    region: 'IL',
    postal_code: '62701',
    country: 'US',
  },
};

/** What the user does with the profile (§2.11), and the way back to how everything was registered. */
const profileChanges: Readonly<Record<string, Change>> = {
  edit: (_carrier, subscriber, body) => {
    const { attribute } = body;
    // A driver names the attribute only; any other caller sends the new values themselves.
    const edits = typeof attribute === 'string' ? { [attribute]: editedTo[attribute] ?? 'edited' } : body;
    for (const [name, value] of Object.entries(edits)) {
      subscriber.rescanned.delete(name);
      subscriber.edits.set(name, isJsonObject(value) ? value : { value });
      if (name === 'email') subscriber.emailVerified = false;
    }
  },
  'verify-email': (_carrier, subscriber) => {
    subscriber.emailVerified = true;
  },
  // A document is scanned again: what was edited is proofed by it.
  'scan-document': (_carrier, subscriber) => {
    for (const name of subscriber.edits.keys()) subscriber.rescanned.add(name);
  },
  'bounce-email': (_carrier, subscriber) => {
    subscriber.emailVerified = false;
  },
  restore: ({ accounts }, subscriber) => {
    const { registered } = subscriber;
    subscriber.edits.clear();
    subscriber.rescanned.clear();
    subscriber.emailVerified = registered.account.emailVerified;
    delete subscriber.simChangedAt;
    delete subscriber.simSeenAt;
    delete subscriber.phoneChangedAt;
    delete subscriber.movedAt;
    accounts.changeNumber(subscriber, registered.phone);
  },
};

export function addSubscriberChanges(app: FastifyInstance, carrier: Carrier): void {
  for (const [name, change] of Object.entries({ ...changes, ...profileChanges })) {
    app.post(`/subscribers/:name/${name}`, (request, reply) => {
      const subscriber = findSubscriber(carrier, request);
      change(carrier, subscriber, memberOf(request, 'body'));
      for (const event of carrier.definition.events.raisedBy[name] ?? []) {
        raiseEvent(carrier, { subscriber, event, cause: name });
      }
      const { phone, emailVerified, edits } = subscriber;
      return reply.send({ phone, email_verified: emailVerified, edited: [...edits.keys()] });
    });
  }
}

function freeNumber(accounts: Carrier['accounts'], phone: string): string {
  for (let next = 200; next < 1000; next++) {
    const number = `${phone.slice(0, -4)}0${next}`;
    if (accounts.findPhone(number) === undefined) return number;
  }
  return refuse('invalid_request', 'there is no free number');
}
