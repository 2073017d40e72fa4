import type { RunnableInterface } from '../engine/context/case-context.ts';
import type { ClausesOf, KnownInterfaces } from '../model/interface.ts';
import { serverInitiated } from './server-initiated/interface.ts';
import type { AllowedOf } from '../model/allowed.ts';

/** Every interface that a result may name. */
const interfaces: readonly RunnableInterface[] = [serverInitiated];

/** The table of contents of an interface that a result names; empty where it is not known here. */
const clausesOf: ClausesOf = (id) => interfaces.find((one) => one.id === id)?.clauses ?? [];

/** What an interface that a result names allows for a limit; of another edition than the one known here nothing is known. */
export const allowedOf: AllowedOf = ({ id, version }, limit) => {
  const allowed = interfaces.find((one) => one.id === id && one.version === version)?.allowedLimits ?? {};
  return Object.hasOwn(allowed, limit) ? allowed[limit] : undefined;
};

/** What reports look up of the interface that a result names. */
export const knownInterfaces: KnownInterfaces = { clausesOf, allowedOf };
