import { Refusal } from '../refusal.ts';

/** Gets the check that refused, the refusal, and what the check knew. */
export type OnRefusal = (check: string, refusal: Refusal, context: unknown) => void;

/** Names of the member of a check or a reader that does the work. */
const stepMembers: ReadonlySet<PropertyKey> = new Set(['run', 'read']);

/** The same pipeline, which reports every refusal before it passes it on. */
export function watchRefusals<T extends object>(part: T, tell: OnRefusal): T {
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
