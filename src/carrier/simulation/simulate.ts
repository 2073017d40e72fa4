import type { Carrier, CarrierDefinition } from '../carrier.ts';
import { approve, deny } from '../flow/outcomes.ts';
import { Refusal } from '../refusal.ts';
import type { AuthorizationRequest } from '../state/requests.ts';
import { askerOf, reasonOf } from './reasons.ts';

/** What a simulated subscriber does with a request; a member that is absent fits every request. */
export interface Approval {
  readonly client?: string;
  readonly subscriber?: string;
  /** On the decoded context; one that asks for nothing fits requests without one too. */
  readonly context?: RegExp;
  readonly act: 'approve' | 'deny' | 'ignore';
  /** Seconds after the request came. */
  readonly after: number;
  /** Of an approval; default: all requested scopes. */
  readonly scopes?: readonly string[];
}

/** How a carrier is pleasant to develop against. */
export interface Simulation {
  /** The first that fits is taken. */
  readonly approvals: readonly Approval[];
  /** Gets what happens, in one line each. */
  readonly tell: (line: string) => void;
}

function fits({ client, subscriber, context }: Approval, request: AuthorizationRequest): boolean {
  if (client !== undefined && client !== request.client.name) return false;
  if (subscriber !== undefined && subscriber !== request.subscriber.name) return false;
  return context === undefined || (request.wanted.context !== undefined && context.test(request.wanted.context));
}

const verbs = { approve: 'approves', deny: 'denies', ignore: 'leaves it alone' } as const;

/** Reports a request that was accepted, and lets its subscriber act. */
function onAccepted(request: AuthorizationRequest, carrier: Carrier, { approvals, tell }: Simulation): void {
  const { client, subscriber, wanted, id, granted } = request;
  const text = wanted.context === undefined ? '' : `, ${JSON.stringify(wanted.context)}`;
  tell(`${client.name} asks ${subscriber.name} for ${wanted.scopes.join(' ')}${text}: accepted, ${id}, ${granted} s`);
  if (wanted.prompt.includes('none')) return;
  const at = approvals.findIndex((one) => fits(one, request));
  const approval = approvals[at];
  if (approval === undefined) {
    tell(`  no approval of the script fits: POST {} to /requests/${id}/approve or /deny at the admin API`);
    return;
  }
  tell(`  ${subscriber.name} ${verbs[approval.act]} after ${approval.after} s (approvals, entry ${at + 1})`);
  if (approval.act === 'ignore') return;
  carrier.clock.schedule(carrier.clock.now() + approval.after * 1000, () => {
    perform(approval, request, { carrier, tell });
  });
}

/** The act at its moment; the request may be over by then. */
function perform(
  { act, scopes }: Approval,
  request: AuthorizationRequest,
  { carrier, tell }: { readonly carrier: Carrier; readonly tell: Simulation['tell'] },
): void {
  const { id, subscriber, state, wanted } = request;
  if (!carrier.definition.builders.isOpen(request)) {
    tell(`${subscriber.name} would have acted on ${id}, but it is ${state}`);
    return;
  }
  tell(`${subscriber.name} ${verbs[act]} ${id}`);
  const ticked = scopes === undefined ? wanted.scopes : wanted.scopes.filter((scope) => scopes.includes(scope));
  if (act === 'approve') approve(carrier, request, ticked.length === 0 ? wanted.scopes : ticked);
  if (act === 'deny') deny(carrier, request);
}

const pipelines = ['pipeline', 'assertion', 'cancel', 'usertraits', 'userinfoCall'] as const;

/** The carrier's definition, which reports what it does and acts as the script says. */
export function simulate(carrier: Carrier, simulation: Simulation): CarrierDefinition {
  const { tell } = simulation;
  const { definition } = carrier;
  const { builders } = definition;
  const onRefusal = (check: string, { status, error, description }: Refusal, context: unknown): void => {
    const reason = reasonOf(check, context);
    tell(`${askerOf(context) ?? 'an unknown client'} is refused, ${status} ${error}: ${description} (${check})`);
    if (reason !== undefined) tell(`  because ${reason}`);
  };
  const watched = Object.fromEntries(pipelines.map((name) => [name, watchRefusals(definition[name], onRefusal)]));
  return {
    ...definition,
    ...watched,
    builders: {
      ...builders,
      response: (request, policy) => {
        onAccepted(request, carrier, simulation);
        return builders.response(request, policy);
      },
      success: (approval, tokens) => {
        tell(`tokens for ${approval.request.id ?? 'a sign-in'}: ${approval.scopes.join(' ')}`);
        return builders.success(approval, tokens);
      },
      failure: (failure) => {
        tell(`no tokens for ${failure.request.id}: ${failure.error}, ${failure.description}`);
        return builders.failure(failure);
      },
    },
  };
}

/** Gets the check that refused, the refusal, and what the check knew. */
type OnRefusal = (check: string, refusal: Refusal, context: unknown) => void;

/** Names of the member of a check or a reader that does the work. */
const stepMembers: ReadonlySet<PropertyKey> = new Set(['run', 'read']);

/** The same pipeline, which reports every refusal before it passes it on. */
function watchRefusals<T extends object>(part: T, tell: OnRefusal): T {
  return new Proxy(part, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof member === 'function' && stepMembers.has(key)) {
        return watched(nameOf(target), (context): unknown => Reflect.apply(member, undefined, [context]), tell);
      }
      return typeof member === 'object' && member !== null ? watchRefusals(member, tell) : member;
    },
  });
}

const nameOf = (target: object): string => ('name' in target && typeof target.name === 'string' ? target.name : '');

type Act = (context: unknown) => unknown;

function watched(name: string, act: Act, tell: OnRefusal): Act {
  const reported = (error: unknown, context: unknown): never => {
    if (error instanceof Refusal) tell(name, error, context);
    throw error;
  };
  return (context) => {
    try {
      const came = act(context);
      return came instanceof Promise ? came.catch((error: unknown) => reported(error, context)) : came;
    } catch (error) {
      return reported(error, context);
    }
  };
}
