import type { CarrierDefinition, Route, Routes } from '../../carrier.ts';
import {
  type BodyContext,
  check,
  type Check,
  type KeyContext,
  type MessageContext,
  type SubscriberContext,
} from '../../pipeline/context.ts';
import type { Policy } from '../../policy.ts';
import { all, type Edit } from './define.ts';

type Part = Exclude<keyof CarrierDefinition, 'hintToken'>;
type Change<T> = (part: T) => Partial<T>;

/** Edits one part of a definition; the change is given what stands there, to build on. */
function editOf<P extends Part>(part: P): (change: Change<CarrierDefinition[P]>) => Edit {
  return (change) => (definition) => ({
    ...definition,
    [part]: { ...definition[part], ...change(definition[part]) },
  });
}

export const withBuilders = editOf('builders');
export const withContent = editOf('content');
export const withPipeline = editOf('pipeline');
export const withAssertion = editOf('assertion');
export const withCancel = editOf('cancel');
export const withCodeCall = editOf('codeCall');
export const withEvents = editOf('events');
export const withTraits = editOf('traits');
export const withTraitSteps = editOf('usertraits');
export const withUserinfo = editOf('userinfo');
export const withUserinfoCall = editOf('userinfoCall');
export const withDiscovery = editOf('discovery');

export function withPolicy(values: Partial<Policy>): Edit {
  return editOf('policy')(() => values);
}

/** Opens, moves or closes addresses (§4); undefined closes one. */
export function withRoutes(change: (routes: Routes) => Readonly<Record<string, Route | undefined>>): Edit {
  return (definition) => {
    const routes: Record<string, Route> = {};
    const changed = { ...definition.routes, ...change(definition.routes) };
    for (const [name, route] of Object.entries(changed)) if (route !== undefined) routes[name] = route;
    return { ...definition, routes };
  };
}

/** A route of this name, changed; throws where there is none. */
export function changeRoute(name: string, change: Partial<Route>): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    return { [name]: { ...route, ...change } };
  });
}

/** Throws where one of these names is not that of a check. */
function requireChecks(known: readonly { readonly name: string }[], names: readonly string[]): void {
  const missing = names.find((name) => !known.some((check) => check.name === name));
  if (missing !== undefined) throw new Error(`no check is called ${missing}`);
}

/** The checks, of which the one with this name runs otherwise; it gets the strict one. Throws where none has the name. */
export function replaceCheck<C>(
  checks: readonly Check<C>[],
  name: string,
  run: (context: C, strict: Check<C>) => void,
): readonly Check<C>[] {
  requireChecks(checks, [name]);
  return checks.map((one) => (one.name === name ? check(name, (context: C) => run(context, one)) : one));
}

/** The checks, of which all, or those of these names, do not run where `isExcused` is true. Throws where none has a name. */
export function skipIf<C>(
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

/** Puts other checks in the place of each check of all pipelines; none takes it out. */
export function mapChecks(change: <C>(check: Check<C>) => readonly Check<C>[]): Edit {
  const each = <C>(checks: readonly Check<C>[]): readonly Check<C>[] => checks.flatMap((one) => change(one));
  return all(
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

/** Takes checks out of whatever pipeline they are in; throws where there is none of a name. */
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

/** Puts another check in the place of one on the claims. */
export function replaceClaimCheck(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: replaced(onClaims, name, run) }));
}

/** Puts another check in the place of one on the subscriber. */
export function replaceSubscriberCheck(name: string, run: (context: SubscriberContext) => void): Edit {
  return withPipeline(({ onSubscriber }) => ({ onSubscriber: replaced(onSubscriber, name, run) }));
}

function replaced<C>(checks: readonly Check<C>[], name: string, run: (context: C) => void): readonly Check<C>[] {
  requireChecks(checks, [name]);
  return checks.map((check) => (check.name === name ? { name, run } : check));
}

/** Adds a check after all others on the message, which is not read yet. */
export function addMessageCheck(name: string, run: (context: MessageContext) => void): Edit {
  return withPipeline(({ onMessage }) => ({ onMessage: [...onMessage, { name, run }] }));
}

/** Adds a check after all others on the members of the body. */
export function addBodyCheck(name: string, run: (context: BodyContext) => void): Edit {
  return withPipeline(({ onBody }) => ({ onBody: [...onBody, { name, run }] }));
}

/** Adds a check after all others on the claims. */
export function addClaimCheck(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: [...onClaims, { name, run }] }));
}

/** Adds a check after all others of the pipeline. */
export function addSubscriberCheck(name: string, run: (context: SubscriberContext) => void): Edit {
  return withPipeline(({ onSubscriber }) => ({ onSubscriber: [...onSubscriber, { name, run }] }));
}
