import type { Paths } from '../builders/discovery.ts';
import type { Route, Routes } from '../carrier.ts';

/** Where a carrier has its endpoints; §4 shows the path of discovery and the end of that of SIM tenure. */
export interface Addresses {
  /** What comes before every path, and is the path of the issuer. */
  readonly base?: string;
  readonly paths?: Paths;
}

export function placed(routes: Routes, { base = '', paths = {} }: Addresses = {}): Routes {
  const move = (name: string, route: Route): Route => ({ ...route, path: `${base}${paths[name] ?? route.path}` });
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, move(name, route)]));
}

export const pathsOf = (routes: Routes): Paths =>
  Object.fromEntries(Object.entries(routes).map(([name, { path }]) => [name, path]));
