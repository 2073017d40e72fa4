import type { Paths } from '../builders/discovery.ts';
import type { Route, Routes } from '../carrier.ts';

/** Endpoint paths of a carrier; §4 shows only the path of discovery and the end of the SIM tenure path. */
export interface Addresses {
  /** Prefix of every path, and path of the issuer. */
  readonly base?: string;
  readonly paths?: Paths;
}

export function placed(routes: Routes, { base = '', paths = {} }: Addresses = {}): Routes {
  const move = (name: string, route: Route): Route => ({ ...route, path: `${base}${paths[name] ?? route.path}` });
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, move(name, route)]));
}

export const pathsOf = (routes: Routes): Paths =>
  Object.fromEntries(Object.entries(routes).map(([name, { path }]) => [name, path]));
