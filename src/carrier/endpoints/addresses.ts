import type { EndpointPaths } from '../builders/discovery.ts';
import type { Route, Routes } from '../carrier.ts';

/** Endpoint paths of a carrier; §4 shows only the path of discovery and the end of the SIM tenure path. */
export interface EndpointAddresses {
  /** Prefix of every path, and path of the issuer. */
  readonly base?: string;
  readonly paths?: EndpointPaths;
}

export function moveRoutes(routes: Routes, { base = '', paths = {} }: EndpointAddresses = {}): Routes {
  const move = (name: string, route: Route): Route => ({ ...route, path: `${base}${paths[name] ?? route.path}` });
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, move(name, route)]));
}

export const routePaths = (routes: Routes): EndpointPaths =>
  Object.fromEntries(Object.entries(routes).map(([name, { path }]) => [name, path]));
