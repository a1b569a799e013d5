import type { Entries } from './entry.ts';
import { express, go, spring } from './stacks.ts';

const ANY_ELSE =
  'Anything else is free: such a request may get a 401, a 404, a redirect or an HTML page.';

export const guard: Entries = {
  'guard.path-spelling': {
    why: 'A stranger spells the path a little differently and reads or creates users without a key.',
    mistake:
      'The guard compares the raw path while the router decodes it, merges slashes or ignores case and `;parameters`. This is the cause of many advisories: CVE-2020-11989 (Shiro), CVE-2022-22978 (Spring Security), CVE-2025-66490 (Traefik). Express matches a trailing slash and any case by default.',
    fixes: [
      express`
// No path and no exceptions: all that the router can reach is guarded.
app.use(requireKey);
app.use('/v1', users);`,
      spring`
@Bean
SecurityFilterChain api(HttpSecurity http) throws Exception {
    return http
        .csrf(csrf -> csrf.disable())
        // No permitAll() for a pattern of paths.
        .authorizeHttpRequests(all -> all.anyRequest().authenticated())
        .addFilterBefore(keyFilter, AuthorizationFilter.class)
        .build();
}`,
    ],
    free: ANY_ELSE,
  },
  'guard.trusted-headers': {
    why: 'Every client can send these headers. A service that trusts them lets in whoever claims to come from inside.',
    mistake:
      'The guard is skipped for "internal" requests, by `X-Forwarded-For: 127.0.0.1`, a User-Agent of a health check or a Host; `trust proxy` is on without a proxy; or a framework has a door of its own, as Next.js had with `X-Middleware-Subrequest` (CVE-2025-29927). A response stored by its Idempotency-Key is replayed without the key.',
    fixes: [
      express`
// req.ip is the peer's; no header changes it.
app.set('trust proxy', false);
// No exception for an address, a Host or a User-Agent.
app.use(requireKey);
app.use(replayByIdempotencyKey); // behind the guard`,
      go`
// Health checks have a port of their own, and need no exception.
go http.ListenAndServe("127.0.0.1:9000", health)
http.ListenAndServe(":8080", requireKey(users))`,
    ],
    free: ANY_ELSE,
  },
};
