# The site in a container: the release of `npm run release` and the packages it runs on. See docs/operations.md.

# Pin it by its digest: --build-arg NODE=node:26.10.0-trixie-slim@sha256:… as `docker pull` prints it.
ARG NODE=node:26.10.0-trixie-slim

FROM ${NODE} AS build
WORKDIR /build
# Packages first: they are then reinstalled only when they change, not with every line of code.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node bin/release.mjs \
 && mv release/proof-of-price-*/ /site \
 && cd /site \
 && npm ci

FROM ${NODE}
# The built-in PostgreSQL refuses to run as root, and requires a user with a name.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data site \
 && install --directory --owner=site --group=site --mode=0700 /data
WORKDIR /site
COPY --from=build /site ./
# Numeric, so that Kubernetes can verify that it is not root.
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3001 DATA_DIR=/data
VOLUME /data
EXPOSE 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["dist/server/main.mjs"]
