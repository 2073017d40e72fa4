import { type Edit, withMakers, withPipeline } from '../faults/edit/define.ts';
import type { JsonObject } from '../json.ts';
import { check, type Check, type KeyContext, type SubscriberContext } from '../pipeline/context.ts';
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
    return withMakers((makers) => ({
      claims: (context) => {
        dropsNext = claimsToDrop.has(context.claims);
        return makers.claims(context);
      },
      authReqId: (wanted) => {
        if (dropsNext) wantedToDrop.add(wanted);
        return makers.authReqId(wanted);
      },
      card: (request, authentication) => ({
        ...makers.card(request, authentication),
        ...(isDropped(request) ? { shown: false } : {}),
      }),
      isOpen: (request) => !isDropped(request) && makers.isOpen(request),
      timesOutAt: (request) => (isDropped(request) ? undefined : makers.timesOutAt(request)),
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
