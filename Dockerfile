# The site in a container, from Debian and npm alone. See docs/operations.md.

FROM debian:trixie-slim AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates nodejs npm \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /site
COPY . .
# Installs what package-lock.json says, with the Node that the site runs on, and builds.
RUN node bin/build.mjs \
 && npm prune --omit=dev --no-audit --no-fund

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
# The built-in PostgreSQL refuses root, and wants its user to have a name.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data site \
 && install --directory --owner=site --group=site --mode=0700 /data
WORKDIR /site
COPY --from=build /site/package.json /site/package-lock.json ./
COPY --from=build /site/node_modules ./node_modules
COPY --from=build /site/dist ./dist
COPY --from=build /site/migrations ./migrations
COPY --from=build /site/data ./data
# The Node that came with the packages; Debian's own stays behind in the first stage.
RUN ln -s node_modules/node-linux-*/bin/node node
# By number, so that Kubernetes can see that it is not root.
USER 10001:10001
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 HOST=0.0.0.0 PORT=3001 DATA_DIR=/data
VOLUME /data
EXPOSE 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["/site/node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/site/node", "--max-semi-space-size=8"]
CMD ["dist/server/main.mjs"]
