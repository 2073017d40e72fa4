/** A host of a URL that every machine has for itself. */
export const isLoopback = (hostname: string): boolean => /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);

/** The same of an address that a socket names. */
export const isLoopbackAddress = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
