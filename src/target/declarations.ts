import type { Json } from '../lib/json.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Latency, Target } from '../model/target.ts';

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

/** How requests are made where the interface does not show it. */
function calls(target: Target): readonly Declaration[] {
  const { proof, assertionAudience, userinfoProof, cancel, endpoints } = target;
  const keys = endpoints['event_jwks'];
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

/** Every freedom of the interface that the target file declares, in the order of its documentation. */
export const declarationsOf = (target: Target): readonly Declaration[] => [
  ...supported(target),
  ...latencies(target),
  ...one('attributes', target.attributes, `the attributes of user info are ${list(target.attributes)}`),
  ...codes(target),
  ...calls(target),
  ...one(
    'cases_per_subscriber',
    target.casesPerSubscriber,
    `${target.casesPerSubscriber} cases of one subscriber at a time`,
  ),
  ...effects(target),
];
