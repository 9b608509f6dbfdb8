// A seccomp filter (seccomp(2)) for bubblewrap: AF_VSOCK, by which a virtual machine's programs reach its host, ignores
// network namespaces. Pure.

/** Offsets in `struct seccomp_data`. */
const [call, arch, firstArgument] = [0, 4, 16];

const AF_VSOCK = 40;
const [ENOSYS, EAFNOSUPPORT] = [38, 97];
const [returnErrno, returnAllow] = [0x0005_0000, 0x7fff_0000];

/** Numbers of `socket` by AUDIT_ARCH (linux/audit.h): x86-64, x32, i386, ARM, ARM64, RISC-V. */
const sockets = [
  [0xc000_003e, 41],
  [0xc000_003e, 0x4000_0029],
  [0x4000_0003, 359],
  [0x4000_0028, 281],
  [0xc000_00b7, 198],
  [0xc000_00f3, 198],
] as const;

/** `struct sock_filter[]` of a little-endian machine. */
export function syscallFilter(): Buffer {
  return Buffer.concat([
    ...sockets.flatMap(([of, socket]) =>
      refuse(EAFNOSUPPORT, [arch, of], [call, socket], [firstArgument, AF_VSOCK]),
    ),
    // i386's socketcall has its arguments in memory, and io_uring_setup (also of x32) leads around every filter.
    ...refuse(ENOSYS, [arch, 0x4000_0003], [call, 102]),
    ...refuse(ENOSYS, [call, 425]),
    ...refuse(ENOSYS, [call, 0x4000_01a9]),
    encode(give, returnAllow),
  ]);
}

/** A call that passes all tests; the first that fails leads behind the return. */
function refuse(
  error: number,
  ...tests: readonly (readonly [offset: number, value: number])[]
): readonly Buffer[] {
  const lines = tests.flatMap(([offset, value], at) => [
    encode(load, offset),
    encode(unless, value, 2 * (tests.length - at) - 1),
  ]);
  return [...lines, encode(give, returnErrno | error)];
}

const [load, unless, give] = [0x20, 0x15, 0x06];

function encode(code: number, k: number, skipped = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code);
  bytes.writeUInt8(skipped, 3);
  bytes.writeUInt32LE(k, 4);
  return bytes;
}
