/** A role in which cases use a registration, with the files of its keys once they are made. */
export interface Role {
  readonly name: string;
  /** Paths from the folder of the target file. */
  readonly keys: readonly string[];
  readonly secret: boolean;
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  readonly eventUri?: string;
  /** That are on (§2.12). */
  readonly flags: readonly string[];
}

interface Plan {
  readonly algs: readonly ('RS256' | 'ES256')[];
  readonly secret?: true;
  readonly events?: true;
  readonly flags: readonly string[];
}

const withEvents = ['server_initiated', 'usertraits_enabled', 'events'];

/** docs/target-file.md, clients. */
export const plans: Readonly<Record<string, Plan>> = {
  main: { algs: ['RS256'], events: true, flags: withEvents },
  second: { algs: ['RS256'], events: true, flags: withEvents },
  'two-keys': { algs: ['RS256', 'ES256'], flags: ['server_initiated'] },
  privileged: {
    algs: ['RS256'],
    events: true,
    flags: ['server_initiated', 'silent_authorization_enabled', 'enum_enabled', 'ial_enabled', 'events'],
  },
  plain: { algs: ['RS256'], flags: [] },
  'secret-only': { algs: [], secret: true, flags: ['server_initiated'] },
  disabled: { algs: ['RS256'], flags: ['server_initiated'] },
};

/** The files of a role's keys, with their algorithms: `keys/two-keys-2.json`. */
export function keyFilesOf(name: string): readonly { readonly path: string; readonly alg: 'RS256' | 'ES256' }[] {
  const algs = plans[name]?.algs ?? [];
  return algs.map((alg, at) => ({ alg, path: `keys/${name}${at === 0 ? '' : `-${at + 1}`}.json` }));
}

export function roleOf(name: string): Role {
  const plan = plans[name];
  return {
    name,
    keys: keyFilesOf(name).map(({ path }) => path),
    secret: plan?.secret === true,
    redirectUris: [`https://sp.example/${name}/callback`],
    notificationUris: [`/${name}/notify`, `/${name}/notify-alternate`],
    ...(plan?.events === true ? { eventUri: `/${name}/events` } : {}),
    flags: plan?.flags ?? [],
  };
}
