import type { Check, KeyContext, SubscriberContext } from '../../pipeline/context.ts';
import type { CarrierDefinition } from '../../definition.ts';
import type { DiscoveryMakers } from '../../builders/discovery.ts';
import type { EventMakers } from '../../builders/events.ts';
import type { JsonObject } from '../../json.ts';
import type { Failure, Makers, Reply } from '../../builders/authorization.ts';
import type { Pipeline } from '../../pipeline/server-initiated.ts';
import type { Policy } from '../../policy.ts';
import type { Route, Routes } from '../../endpoints/routes.ts';
import type { TraitMakers } from '../../builders/usertrait.ts';
import type { TraitPipeline } from '../../pipeline/usertrait.ts';
import type { UserinfoMakers } from '../../builders/userinfo.ts';

/** One named defect: a carrier definition made worse in one way. */
export interface Fault {
  readonly name: string;
  /** What a carrier's engineer got wrong. */
  readonly says: string;
  /** Rules it breaks. */
  readonly breaks: readonly string[];
  /** Rules nobody can judge any more, because what their cases build on does not work; 'what follows' where that is a great part. */
  readonly blinds?: readonly string[] | 'what follows';
  /** Cases meet through it: what one does shows in another, so a proof runs them one after the other. */
  readonly crosses?: true;
  /** What the target file of such a carrier says under `supports`. */
  readonly declares?: Readonly<Record<string, boolean>>;
  readonly apply: (definition: CarrierDefinition) => CarrierDefinition;
}

export function defineFault(fault: Fault): Fault {
  return fault;
}

export type Edit = Fault['apply'];

export function withPolicy(values: Partial<Policy>): Edit {
  return (definition) => ({ ...definition, policy: { ...definition.policy, ...values } });
}

/** Replaces makers; `change` is given those there were, to build on. */
export function withMakers(change: (makers: Makers) => Partial<Makers>): Edit {
  return (definition) => ({ ...definition, makers: { ...definition.makers, ...change(definition.makers) } });
}

export function withPipeline(change: (pipeline: Pipeline) => Partial<Pipeline>): Edit {
  return (definition) => ({ ...definition, pipeline: { ...definition.pipeline, ...change(definition.pipeline) } });
}

/** Replaces makers of events; `change` is given those there were, as in the edits below. */
export function withEvents(change: (makers: EventMakers) => Partial<EventMakers>): Edit {
  return (definition) => ({ ...definition, events: { ...definition.events, ...change(definition.events) } });
}

export function withTraits(change: (makers: TraitMakers) => Partial<TraitMakers>): Edit {
  return (definition) => ({ ...definition, traits: { ...definition.traits, ...change(definition.traits) } });
}

export function withTraitSteps(change: (steps: TraitPipeline) => Partial<TraitPipeline>): Edit {
  return (definition) => ({
    ...definition,
    usertraits: { ...definition.usertraits, ...change(definition.usertraits) },
  });
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
export function changedRoute(name: string, change: Partial<Route>): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    return { [name]: { ...route, ...change } };
  });
}

export function withUserinfo(change: (makers: UserinfoMakers) => Partial<UserinfoMakers>): Edit {
  return (definition) => ({ ...definition, userinfo: { ...definition.userinfo, ...change(definition.userinfo) } });
}

export function withDiscovery(change: (makers: DiscoveryMakers) => Partial<DiscoveryMakers>): Edit {
  return (definition) => ({ ...definition, discovery: { ...definition.discovery, ...change(definition.discovery) } });
}

/** A list of checks without those of these names; throws where there is none of a name. */
export function lessChecks<C>(checks: readonly Check<C>[], ...names: readonly string[]): readonly Check<C>[] {
  for (const name of names)
    if (!checks.some((check) => check.name === name)) throw new Error(`no check is called ${name}`);
  return checks.filter(({ name }) => !names.includes(name));
}

/** Takes checks out of the pipeline; throws where there is none of that name. */
export function without(...names: readonly string[]): Edit {
  return withPipeline((pipeline) => {
    const left = new Set(names);
    const keep = <C>(checks: readonly Check<C>[]): readonly Check<C>[] =>
      checks.filter(({ name }) => !names.includes(name) || !left.delete(name));
    const changed = {
      onMessage: keep(pipeline.onMessage),
      onBody: keep(pipeline.onBody),
      onObject: keep(pipeline.onObject),
      onClient: keep(pipeline.onClient),
      onClaims: keep(pipeline.onClaims),
      onSubscriber: keep(pipeline.onSubscriber),
    };
    if (left.size > 0) throw new Error(`no check is called ${[...left].join(', ')}`);
    return changed;
  });
}

/** Puts another check in the place of one on the claims. */
export function insteadOf(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: replaced(onClaims, name, run) }));
}

/** Puts another check in the place of one on the subscriber. */
export function insteadOfLast(name: string, run: (context: SubscriberContext) => void): Edit {
  return withPipeline(({ onSubscriber }) => ({ onSubscriber: replaced(onSubscriber, name, run) }));
}

function replaced<C>(checks: readonly Check<C>[], name: string, run: (context: C) => void): readonly Check<C>[] {
  if (!checks.some((check) => check.name === name)) throw new Error(`no check is called ${name}`);
  return checks.map((check) => (check.name === name ? { name, run } : check));
}

/** Adds a check after all others on the claims. */
export function withExtra(name: string, run: (context: KeyContext) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: [...onClaims, { name, run }] }));
}

export function all(...edits: readonly Edit[]): Edit {
  return (definition) => edits.reduce((changed, edit) => edit(changed), definition);
}

/** Changes the 200 (§2.4). */
export function answering(change: (reply: Reply) => Partial<Reply>): Edit {
  return withMakers(({ answer }) => ({
    answer: (request, policy) => {
      const reply = answer(request, policy);
      return { ...reply, ...change(reply) };
    },
  }));
}

/** Changes every refusal (§2.5). */
export function refusing(change: (reply: Reply) => Partial<Reply>): Edit {
  return withMakers(({ refusal }) => ({
    refusal: (reason, correlationId) => {
      const reply = refusal(reason, correlationId);
      return { ...reply, ...change(reply) };
    },
  }));
}

/** Changes the callback with tokens (§2.6). */
export function succeeding(change: (body: JsonObject) => JsonObject): Edit {
  return withMakers(({ success }) => ({ success: (approval, tokens) => change(success(approval, tokens)) }));
}

/** Changes the callback with an error (§2.6). */
export function failing(change: (body: JsonObject, failure: Failure) => JsonObject): Edit {
  return withMakers(({ failure }) => ({ failure: (reason) => change(failure(reason), reason) }));
}

/** Changes the headers of every callback (§4.2). */
export function calling(change: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): Edit {
  return withMakers(({ callbackHeaders }) => ({
    callbackHeaders: (request, policy) => change(callbackHeaders(request, policy)),
  }));
}

/** The object without some of its members. */
export function leaveOut<T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
