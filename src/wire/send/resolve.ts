import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

/**
 * Addresses of this machine's own link (RFC 3927, RFC 4291 §2.5.6), where machines of a cloud have the service that gives away
 * their credentials; the others are those of clouds that have it elsewhere.
 */
const local = new BlockList();
local.addSubnet('169.254.0.0', 16, 'ipv4');
local.addAddress('100.100.100.200', 'ipv4');
local.addSubnet('fe80::', 10, 'ipv6');
local.addAddress('168.63.129.16', 'ipv4');
local.addAddress('192.0.0.192', 'ipv4');
local.addAddress('fd00:ec2::254', 'ipv6');
local.addAddress('fd20:ce::254', 'ipv6');
// The same behind a translation to IPv4 (RFC 6052 §2.1).
local.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
local.addAddress('64:ff9b::6464:64c8', 'ipv6');
local.addAddress('64:ff9b::a83f:8110', 'ipv6');
local.addAddress('64:ff9b::c000:c0', 'ipv6');

const isLocal = ({ address, family }: LookupAddress): boolean => local.check(address, family === 6 ? 'ipv6' : 'ipv4');

export class LinkLocal extends Error {
  readonly code = 'ELINKLOCAL';

  constructor(hostname: string, address: string) {
    super(`${hostname} has the address ${address}, which is of no carrier: nothing is sent there`);
    this.name = 'LinkLocal';
  }
}

/** What a name resolves to; a name that leads to the machine's own link is refused. Who means such an address writes it as one. */
export const hostResolver =
  (by: typeof resolve): LookupFunction =>
  (hostname, options, done) => {
    by(hostname, { ...options, all: true }, (error, found) => {
      // Without addresses there is no list, whatever its type says.
      if (error !== null) {
        done(error, []);
        return;
      }
      const wrong = found.find(isLocal);
      const [first] = found;
      if (wrong !== undefined) done(new LinkLocal(hostname, wrong.address), []);
      else if (options.all === true || first === undefined) done(null, found);
      else done(null, first.address, first.family);
    });
  };

export const resolveHost = hostResolver(resolve);
