/** The interfaces that ship, as reports look them up. */
export { knownInterfaces } from '../interfaces/registry.ts';
