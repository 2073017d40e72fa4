import { findHeader, type HeaderLines } from '../../model/exchange.ts';

/** Finds what named the URI at which a delivery arrives: a request, or the case for which this URI was drawn. */
export interface Destinations<T> {
  /** Adds those of an owner's URIs that no client registered. */
  readonly add: (owner: T, uris: readonly string[]) => void;
  /** The owners of the URI, the latest first. */
  readonly find: (arrived: { readonly target: string; readonly headers: HeaderLines }) => readonly T[];
  readonly forget: (uris: readonly string[]) => void;
}

/** URIs that are remembered, with those of finished cases; the oldest are dropped first. */
const maxDestinations = 10_000;
/** Owners of one URI that are remembered, the latest. */
const maxOwners = 8;

/** Host and request target of a URI. */
interface Place {
  readonly host: string;
  readonly target: string;
}

/** The place in a URI as it is written, without user information and fragment. */
function writtenPlace(uri: string): readonly Place[] {
  const [, authority, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i.exec(uri) ?? [];
  if (authority === undefined) return [];
  return [
    { host: authority.slice(authority.lastIndexOf('@') + 1).toLowerCase(), target: rest.replace(/^(?!\/)/, '/') },
  ];
}

/** Places of a URI, as it is written and as RFC 3986 §6.2.2 normalizes it: senders do either. */
function placesOf(uri: string): readonly Place[] {
  if (!URL.canParse(uri)) return [];
  const { host, pathname, search } = new URL(uri);
  return [...writtenPlace(uri), { host, target: `${pathname || '/'}${search}` }];
}

const pathOf = (target: string): string => target.replace(/\?.*$/s, '');
/** The path with one slash where there are several, and the paths above it, the nearest first: a sender may append to a URI. */
function pathsAbove(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((_, at) => `/${names.slice(0, names.length - at).join('/')}`);
}

const atHost = ({ host, target }: Place): string => `${host} ${target}`;

/** Creates the register; `registered` has the absolute URIs that requests may name. */
export function createDestinations<T>(registered: readonly string[]): Destinations<T> {
  const places = registered.flatMap(placesOf);
  const hosts = new Set(places.map(atHost));
  const targets = new Set(places.flatMap(({ target }) => [target, pathOf(target)]));
  const owners = new Map<string, readonly T[]>();
  /** A registered target at another host is found by this host; any other target with its query or without it. */
  const keysOf = (place: Place): readonly string[] => {
    const { target } = place;
    if (targets.has(target)) return hosts.has(atHost(place)) ? [] : [atHost(place)];
    return [target, pathOf(target)].filter((key) => !targets.has(key));
  };
  const allKeys = (uris: readonly string[]): ReadonlySet<string> => new Set(uris.flatMap(placesOf).flatMap(keysOf));
  return {
    add: (owner, uris) => {
      for (const key of allKeys(uris)) {
        const all = [owner, ...(owners.get(key) ?? [])].slice(0, maxOwners);
        owners.delete(key);
        owners.set(key, all);
      }
      for (const key of owners.keys()) {
        if (owners.size <= maxDestinations) break;
        owners.delete(key);
      }
    },
    find: ({ target, headers }) => {
      const host = (findHeader(headers, 'host') ?? '').toLowerCase();
      const path = pathOf(target);
      const [plain = path, ...above] = pathsAbove(path);
      const near = targets.has(plain) || targets.has(path) ? [] : [plain, ...above];
      const key = [target, path, atHost({ host, target }), ...near].find((one) => owners.has(one));
      return (key === undefined ? undefined : owners.get(key)) ?? [];
    },
    forget: (uris) => {
      for (const key of allKeys(uris)) owners.delete(key);
    },
  };
}
