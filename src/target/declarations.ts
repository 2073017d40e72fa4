import { X509Certificate } from 'node:crypto';
import type { Json } from '../lib/json.ts';
import { type Declaration, defaultTimes, effectiveLatency } from '../model/declared.ts';
import type { Client, Latency, Target } from '../model/target.ts';
import type { Case } from '../suite/suites.ts';
import { withoutPassword } from './reader.ts';
import { findClient, registrationNeeds, splitNeed } from './registrations.ts';

const seconds = (count: number): string => `${count} s`;

const latencyWords: Readonly<Record<keyof Latency, string>> = {
  callback: 'a callback comes within',
  event: 'an event comes within',
  sim_swap: 'a SIM swap shows within',
  consent: 'a change of a consent counts within',
};

const latencies = ({ latency = {} }: Target): readonly Declaration[] =>
  Object.entries(latencyWords).flatMap(([name, words]) => {
    const value = Object.entries(latency).find(([one]) => one === name)?.[1];
    return value === undefined ? [] : [{ key: `latency.${name}`, value, words: `${words} ${seconds(value)}` }];
  });

const supported = ({ supports }: Target): readonly Declaration[] =>
  Object.entries(supports).map(([name, value]) => ({
    key: `supports.${name}`,
    value,
    words: `the carrier has ${value ? '' : 'no '}${name}`,
  }));

const one = (key: string, value: Json | undefined, words: string): readonly Declaration[] =>
  value === undefined ? [] : [{ key, value, words }];

const list = (values: readonly string[] | undefined): string => values?.join(', ') ?? '';

const codes = ({ carrierCodes }: Target): readonly Declaration[] =>
  carrierCodes === undefined
    ? []
    : [
        ...one('carrier_codes.own', carrierCodes.own, `the codes of the carrier are ${list(carrierCodes.own)}`),
        ...one(
          'carrier_codes.foreign',
          carrierCodes.foreign.length > 0 ? carrierCodes.foreign : undefined,
          `codes of other carriers are ${list(carrierCodes.foreign)}`,
        ),
      ];

/** URLs in the file that override the carrier's published ones. Without discovery there is nothing to override. */
const named = ({ discovery, endpoints }: Target): readonly Declaration[] =>
  discovery === undefined
    ? []
    : Object.entries(endpoints).flatMap(([name, url]) => {
        const value = withoutPassword(url);
        // It has its own key, events.jwks.
        return name === 'event_jwks'
          ? []
          : [{ key: `endpoints.${name}`, value, words: `the endpoint ${name} is ${value}, whatever discovery says` }];
      });

type Requiring = Pick<Case, 'client' | 'requires'>;

/** Requirements that the client's registration does not meet. Cases with these are not applicable. */
function missingRequirements(client: Client, requires: readonly string[]): readonly Declaration[] {
  const needs = [...new Set(requires)].map(splitNeed);
  return Object.entries(registrationNeeds).flatMap(([word, { key, value, isMet, words }]) => {
    const lacking = needs.flatMap(([asked, name]) => (asked === word && !isMet(name, client) ? [name] : []));
    const path = `clients.${client.name}.${key}`;
    return lacking.length === 0 ? [] : one(path, value(client), words(lacking, client));
  });
}

const registrations = (target: Target, cases: readonly Requiring[]): readonly Declaration[] =>
  target.clients.flatMap((client) => {
    const ofClient = cases.filter((given) => findClient(given, target) === client);
    return missingRequirements(
      client,
      ofClient.flatMap(({ requires }) => requires),
    );
  });

/** Wait for callbacks that exceeds the declared latency; the default is not a declaration. */
const patience = ({ deliveryTimeout, latency = {} }: Target): readonly Declaration[] =>
  deliveryTimeout === defaultTimes.deliveryTimeout || deliveryTimeout <= effectiveLatency({ latency }).callback
    ? []
    : one('delivery_timeout', deliveryTimeout, `a callback is awaited for ${seconds(deliveryTimeout)}`);

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const declarationDigest = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

/** CA certificates that verify the carrier's certificate, each as its SHA-256. */
function trust({ tls }: Target): readonly Declaration[] {
  const prints = tls?.ca?.match(certificate)?.map((pem) => `sha256:${declarationDigest(pem)}`);
  return one(
    'tls.ca',
    prints,
    `instead of the system's authorities those of the target file are trusted: ${list(prints)}`,
  );
}

/** How to make requests on points that the interface leaves open. */
function calls(target: Target): readonly Declaration[] {
  const { proof, assertionAudience, userinfoProof, cancel, endpoints } = target;
  const published = endpoints['event_jwks'];
  const keys = published === undefined ? undefined : withoutPassword(published);
  const format = typeof proof === 'object' ? 'program' : proof;
  return [
    ...one(
      'proof',
      format,
      `proofs of possession are ${format === 'program' ? 'made by a program' : `of the format ${format}`}`,
    ),
    ...one('token.assertion_audience', assertionAudience, `client assertions are meant for ${assertionAudience}`),
    ...one(
      'userinfo.proof',
      userinfoProof,
      `user info wants ${userinfoProof === true ? 'a' : 'no'} proof of possession`,
    ),
    ...one('events.jwks', keys, `the keys of events are at ${keys}`),
    ...one('cancel', cancel?.as, `a cancellation is sent as ${cancel?.method} with a ${cancel?.as}`),
  ];
}

const effects = ({ drivers }: Target): readonly Declaration[] =>
  Object.entries(drivers).flatMap(([action, { takesEffect }]) =>
    one(`drivers.${action}.takes_effect`, takesEffect, `${action} takes effect after ${seconds(takesEffect ?? 0)}`),
  );

/** Lists the target file's declarations in the order of its documentation; for registrations, the needs of cases they do not meet. */
export const listDeclarations = (
  target: Target,
  { cases }: { readonly cases: readonly Requiring[] },
): readonly Declaration[] => [
  ...named(target),
  ...one('origins', target.origins, `the carrier is at ${list(target.origins)} as well`),
  ...registrations(target, cases),
  ...supported(target),
  ...patience(target),
  ...latencies(target),
  ...one('attributes', target.attributes, `the attributes of user info are ${list(target.attributes)}`),
  ...codes(target),
  ...calls(target),
  ...trust(target),
  ...one(
    'cases_per_subscriber',
    target.casesPerSubscriber,
    `${target.casesPerSubscriber} cases of one subscriber at a time`,
  ),
  ...effects(target),
];
