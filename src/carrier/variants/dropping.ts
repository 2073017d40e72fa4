import type { Edit } from '../faults/edit/define.ts';
import { withBuilders, withPipeline } from '../faults/edit/parts.ts';
import type { JsonObject } from '../json.ts';
import type { KeyContext, SubscriberContext } from '../pipeline/context.ts';
import { check, type Check } from '../pipeline/step.ts';
import { Refusal } from '../refusal.ts';
import type { AuthorizationRequest, Wanted } from '../state/requests.ts';

/** Where a check of these names refuses, the request gets its 200, and then nothing happens: no push, no callback. */
export function dropping(...names: readonly string[]): Edit {
  const isNamed = ({ name }: { readonly name: string }): boolean => names.includes(name);
  return (definition) => {
    const claimsToDrop = new WeakSet<JsonObject>();
    const wantedToDrop = new WeakSet<Wanted>();
    let dropsNext = false;
    const isDropped = ({ wanted }: AuthorizationRequest): boolean => wantedToDrop.has(wanted);
    const quiet = <C extends KeyContext>(one: Check<C>): Check<C> =>
      isNamed(one)
        ? check(
            one.name,
            orElse(one.run, ({ claims }) => claimsToDrop.add(claims)),
          )
        : one;
    const checked = withPipeline(({ onClaims, onSubscriber }) => ({
      onClaims: onClaims.map((one) => quiet(one)),
      onSubscriber: onSubscriber.map((one) => quiet<SubscriberContext>(one)),
    }));
    return withBuilders((builders) => ({
      claims: (context) => {
        dropsNext = claimsToDrop.has(context.claims);
        return builders.claims(context);
      },
      authReqId: (wanted) => {
        if (dropsNext) wantedToDrop.add(wanted);
        return builders.authReqId(wanted);
      },
      card: (request, authentication) => ({
        ...builders.card(request, authentication),
        ...(isDropped(request) ? { shown: false } : {}),
      }),
      isOpen: (request) => !isDropped(request) && builders.isOpen(request),
      timesOutAt: (request) => (isDropped(request) ? undefined : builders.timesOutAt(request)),
    }))(checked(definition));
  };
}

function orElse<C>(run: (context: C) => void, otherwise: (context: C) => void): (context: C) => void {
  return (context) => {
    try {
      run(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      otherwise(context);
    }
  };
}
