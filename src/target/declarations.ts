import { X509Certificate } from 'node:crypto';
import type { Json } from '../lib/json.ts';
import { type Declaration, defaultTimeouts, effectiveLatency } from '../model/declaration.ts';
import type { Client, Latency, Target } from '../model/target.ts';
import type { Case } from '../suite/suites.ts';
import { withoutPassword } from './reader.ts';
import { findClient, registrationNeeds, splitRequirement } from './registrations.ts';

const secondsText = (count: number): string => `${count} s`;

const latencyWords: Readonly<Record<keyof Latency, string>> = {
  callback: 'a callback comes within',
  event: 'an event comes within',
  sim_swap: 'a SIM swap shows within',
  consent: 'a change of a consent counts within',
};

const latencyDeclarations = ({ latency = {} }: Target): readonly Declaration[] =>
  Object.entries(latencyWords).flatMap(([name, words]) => {
    const value = Object.entries(latency).find(([one]) => one === name)?.[1];
    return value === undefined ? [] : [{ key: `latency.${name}`, value, words: `${words} ${secondsText(value)}` }];
  });

const supportDeclarations = ({ supports }: Target): readonly Declaration[] =>
  Object.entries(supports).map(([name, value]) => ({
    key: `supports.${name}`,
    value,
    words: `the carrier has ${value ? '' : 'no '}${name}`,
  }));

const declareValue = (key: string, value: Json | undefined, words: string): readonly Declaration[] =>
  value === undefined ? [] : [{ key, value, words }];

const joinValues = (values: readonly string[] | undefined): string => values?.join(', ') ?? '';

const codeDeclarations = ({ carrierCodes }: Target): readonly Declaration[] =>
  carrierCodes === undefined
    ? []
    : [
        ...declareValue(
          'carrier_codes.own',
          carrierCodes.own,
          `the codes of the carrier are ${joinValues(carrierCodes.own)}`,
        ),
        ...declareValue(
          'carrier_codes.foreign',
          carrierCodes.foreign.length > 0 ? carrierCodes.foreign : undefined,
          `codes of other carriers are ${joinValues(carrierCodes.foreign)}`,
        ),
      ];

/** URLs in the file that override the carrier's published ones. Without discovery there is nothing to override. */
const endpointDeclarations = ({ discovery, endpoints }: Target): readonly Declaration[] =>
  discovery === undefined
    ? []
    : Object.entries(endpoints).flatMap(([name, url]) => {
        const value = withoutPassword(url);
        // It has its own key, events.jwks.
        return name === 'event_jwks'
          ? []
          : [{ key: `endpoints.${name}`, value, words: `the endpoint ${name} is ${value}, whatever discovery says` }];
      });

type CaseRequirements = Pick<Case, 'client' | 'requires'>;

/** Requirements that the client's registration does not meet. Cases with these are not applicable. */
function missingRequirements(client: Client, requires: readonly string[]): readonly Declaration[] {
  const needs = [...new Set(requires)].map(splitRequirement);
  return Object.entries(registrationNeeds).flatMap(([word, { key, value, isMet, words }]) => {
    const lacking = needs.flatMap(([asked, name]) => (asked === word && !isMet(name, client) ? [name] : []));
    const path = `clients.${client.name}.${key}`;
    return lacking.length === 0 ? [] : declareValue(path, value(client), words(lacking, client));
  });
}

function registrationDeclarations(target: Target, cases: readonly CaseRequirements[]): readonly Declaration[] {
  const needs = cases
    .filter(({ requires }) => requires.length > 0)
    .map((given) => ({ client: findClient(given, target), requires: given.requires }));
  return target.clients.flatMap((client) =>
    missingRequirements(
      client,
      needs.flatMap((need) => (need.client === client ? need.requires : [])),
    ),
  );
}

/** Wait for callbacks that exceeds the declared latency; the default is not a declaration. */
const timeoutDeclarations = ({ deliveryTimeout, latency = {} }: Target): readonly Declaration[] =>
  deliveryTimeout === defaultTimeouts.deliveryTimeout || deliveryTimeout <= effectiveLatency({ latency }).callback
    ? []
    : declareValue('delivery_timeout', deliveryTimeout, `a callback is awaited for ${secondsText(deliveryTimeout)}`);

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const certificateDigest = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

/** CA certificates that verify the carrier's certificate, each as its SHA-256. */
function trustDeclarations({ tls }: Target): readonly Declaration[] {
  const prints = tls?.ca?.match(pemPattern)?.map((pem) => `sha256:${certificateDigest(pem)}`);
  return declareValue(
    'tls.ca',
    prints,
    `instead of the system's authorities those of the target file are trusted: ${joinValues(prints)}`,
  );
}

/** How to make requests on points that the interface leaves open. */
function callDeclarations(target: Target): readonly Declaration[] {
  const { proof, assertionAudience, userinfoProof, cancel, endpoints } = target;
  const published = endpoints['event_jwks'];
  const keys = published === undefined ? undefined : withoutPassword(published);
  const format = typeof proof === 'object' ? 'program' : proof;
  return [
    ...declareValue(
      'proof',
      format,
      `proofs of possession are ${format === 'program' ? 'made by a program' : `of the format ${format}`}`,
    ),
    ...declareValue(
      'token.assertion_audience',
      assertionAudience,
      `client assertions are meant for ${assertionAudience}`,
    ),
    ...declareValue(
      'userinfo.proof',
      userinfoProof,
      `user info wants ${userinfoProof === true ? 'a' : 'no'} proof of possession`,
    ),
    ...declareValue('events.jwks', keys, `the keys of events are at ${keys}`),
    ...declareValue('cancel', cancel?.as, `a cancellation is sent as ${cancel?.method} with a ${cancel?.as}`),
  ];
}

const effectDeclarations = ({ drivers }: Target): readonly Declaration[] =>
  Object.entries(drivers).flatMap(([action, { takesEffect }]) =>
    declareValue(
      `drivers.${action}.takes_effect`,
      takesEffect,
      `${action} takes effect after ${secondsText(takesEffect ?? 0)}`,
    ),
  );

/** Lists the target file's declarations in the order of its documentation; for registrations, the needs of cases they do not meet. */
export const listDeclarations = (
  target: Target,
  { cases }: { readonly cases: readonly CaseRequirements[] },
): readonly Declaration[] => [
  ...endpointDeclarations(target),
  ...declareValue('origins', target.origins, `the carrier is at ${joinValues(target.origins)} as well`),
  ...registrationDeclarations(target, cases),
  ...supportDeclarations(target),
  ...timeoutDeclarations(target),
  ...latencyDeclarations(target),
  ...declareValue('attributes', target.attributes, `the attributes of user info are ${joinValues(target.attributes)}`),
  ...codeDeclarations(target),
  ...callDeclarations(target),
  ...trustDeclarations(target),
  ...declareValue(
    'cases_per_subscriber',
    target.casesPerSubscriber,
    `${target.casesPerSubscriber} cases of one subscriber at a time`,
  ),
  ...effectDeclarations(target),
];
