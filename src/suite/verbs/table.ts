import type { ActDescription, ActOf, AnyAct, Show, VerbDefinition } from './define.ts';
import { authorize } from './authorize.ts';
import { awaitDeliveries } from './await.ts';
import { http } from './http.ts';
import { look } from './look.ts';
import { sign } from './sign.ts';
import { trigger } from './trigger.ts';
import { usertrait } from './usertrait.ts';

/** Verbs that know the interface which is certified. */
export const interfaceVerbs = [authorize, look, sign, usertrait] as const;

/** Verbs that any interface has. */
export const neutralVerbs = [trigger, awaitDeliveries, http] as const;

const all = [...interfaceVerbs, ...neutralVerbs] as const;

/** What a step does: one member for each verb, as its definition compiles it. */
export type Act = ActOf<(typeof all)[number]>;
export type Verb = Act['verb'];

/** The verbs that a suite may use. */
export type VerbTable = readonly VerbDefinition<Act>[];

export const verbTable: VerbTable = all;

/** A step's act in words; `show` renders the values of a suite. */
export function describeAct(act: AnyAct, show: Show): ActDescription {
  for (const { describe } of verbTable) {
    const described = describe(act, show);
    if (described !== undefined) return described;
  }
  return { act: act.verb, details: [] };
}
