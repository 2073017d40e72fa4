import type { CarrierDefinition, Route, Routes } from '../carrier.ts';
import {
  type BodyContext,
  check,
  type Check,
  type KeyContext,
  type MessageContext,
  type SubscriberContext,
} from '../context.ts';
import type { Policy } from '../policy.ts';
import { combineEdits, type Edit } from './edit.ts';

type EditablePart = Exclude<keyof CarrierDefinition, 'hintToken' | 'readAgain'>;
type PartChange<T> = (part: T) => Partial<T>;

/** Returns a function that makes edits of one part; the change receives the current part. */
function partEdit<P extends EditablePart>(part: P): (change: PartChange<CarrierDefinition[P]>) => Edit {
  return (change) => (definition) => ({
    ...definition,
    [part]: { ...definition[part], ...change(definition[part]) },
  });
}

export const withBuilders = partEdit('builders');
export const withContent = partEdit('content');
export const withPipeline = partEdit('pipeline');
export const withAssertion = partEdit('assertion');
export const withCancel = partEdit('cancel');
export const withCodeCall = partEdit('codeCall');
export const withEvents = partEdit('events');
export const withTraits = partEdit('traits');
export const withTraitSteps = partEdit('usertraits');
export const withUserinfo = partEdit('userinfo');
export const withUserinfoCall = partEdit('userinfoCall');
export const withDiscovery = partEdit('discovery');

export function withPolicy(values: Partial<Policy>): Edit {
  return partEdit('policy')(() => values);
}

/** Adds, moves or removes endpoints (§4); undefined removes one. */
export function withRoutes(change: (routes: Routes) => Readonly<Record<string, Route | undefined>>): Edit {
  return (definition) => {
    const routes: Record<string, Route> = {};
    const changed = { ...definition.routes, ...change(definition.routes) };
    for (const [name, route] of Object.entries(changed)) if (route !== undefined) routes[name] = route;
    return { ...definition, routes };
  };
}

/** Changes the route of this name; throws if there is none. */
export function changeRoute(name: string, change: Partial<Route>): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    return { [name]: { ...route, ...change } };
  });
}

/** Throws if one of the names is no check's. */
function requireChecks(known: readonly { readonly name: string }[], names: readonly string[]): void {
  const missing = names.find((name) => !known.some((check) => check.name === name));
  if (missing !== undefined) throw new Error(`no check is called ${missing}`);
}

/** Replaces how the check of this name runs; `run` also gets the strict check. Throws if there is none. */
export function replaceCheck<C>(
  checks: readonly Check<C>[],
  name: string,
  run: (context: C, strict: Check<C>) => void,
): readonly Check<C>[] {
  requireChecks(checks, [name]);
  return checks.map((one) => (one.name === name ? check(name, (context: C) => run(context, one)) : one));
}

/** Skips the checks of these names, by default all, where `isExcused` is true. Throws if there is none of a name. */
export function skipChecksIf<C>(
  checks: readonly Check<C>[],
  isExcused: (context: C) => boolean,
  names: readonly string[] = checks.map(({ name }) => name),
): readonly Check<C>[] {
  return names.reduce<readonly Check<C>[]>(
    (changed, name) =>
      replaceCheck(changed, name, (context, strict) => {
        if (!isExcused(context)) strict.run(context);
      }),
    checks,
  );
}

/** Replaces every check of all pipelines with these checks; an empty list removes it. */
export function mapChecks(change: <C>(check: Check<C>) => readonly Check<C>[]): Edit {
  const each = <C>(checks: readonly Check<C>[]): readonly Check<C>[] => checks.flatMap((one) => change(one));
  return combineEdits(
    withPipeline(({ onMessage, onBody, onObject, onClient, onClaims, onHintToken, onSubscriber }) => ({
      onMessage: each(onMessage),
      onBody: each(onBody),
      onObject: each(onObject),
      onClient: each(onClient),
      onClaims: each(onClaims),
      onHintToken: each(onHintToken),
      onSubscriber: each(onSubscriber),
    })),
    withTraitSteps(({ onMessage, onProof, onFormat: { taap, jwt, dpop }, onClaims, onSubscriber }) => ({
      onMessage: each(onMessage),
      onProof: each(onProof),
      onFormat: { taap: each(taap), jwt: each(jwt), dpop: each(dpop) },
      onClaims: each(onClaims),
      onSubscriber: each(onSubscriber),
    })),
    withAssertion(({ onAssertion }) => ({ onAssertion: each(onAssertion) })),
    withCancel(({ onRequest }) => ({ onRequest: each(onRequest) })),
    withUserinfoCall(({ onMessage, onToken }) => ({ onMessage: each(onMessage), onToken: each(onToken) })),
    withCodeCall(({ onCode }) => ({ onCode: each(onCode) })),
  );
}

/** Removes checks from any pipeline; throws if there is none of a name. */
export function dropChecks(...names: readonly string[]): Edit {
  return (definition) => {
    const found: { readonly name: string }[] = [];
    const edited = mapChecks((check) => {
      if (!names.includes(check.name)) return [check];
      found.push(check);
      return [];
    })(definition);
    requireChecks(found, names);
    return edited;
  };
}

/** Replaces a check on the claims. */
export function replaceClaimCheck(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: replaceRun(onClaims, name, run) }));
}

/** Replaces a check on the subscriber. */
export function replaceSubscriberCheck(name: string, run: (context: SubscriberContext) => void): Edit {
  return withPipeline(({ onSubscriber }) => ({ onSubscriber: replaceRun(onSubscriber, name, run) }));
}

function replaceRun<C>(checks: readonly Check<C>[], name: string, run: (context: C) => void): readonly Check<C>[] {
  requireChecks(checks, [name]);
  return checks.map((check) => (check.name === name ? { name, run } : check));
}

/** Adds a last check on the message, before its body is read. */
export function addMessageCheck(name: string, run: (context: MessageContext) => void): Edit {
  return withPipeline(({ onMessage }) => ({ onMessage: [...onMessage, { name, run }] }));
}

/** Adds a last check on the members of the body. */
export function addBodyCheck(name: string, run: (context: BodyContext) => void): Edit {
  return withPipeline(({ onBody }) => ({ onBody: [...onBody, { name, run }] }));
}

/** Adds a last check on the claims. */
export function addClaimCheck(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: [...onClaims, { name, run }] }));
}

/** Adds a check at the end of the pipeline. */
export function addSubscriberCheck(name: string, run: (context: SubscriberContext) => void): Edit {
  return withPipeline(({ onSubscriber }) => ({ onSubscriber: [...onSubscriber, { name, run }] }));
}
